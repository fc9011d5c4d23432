export {
  type FileDepth,
  type FolderFragments,
  type FragmentJson,
  type FragmentOptions,
  fileDepths,
  fragmentsOfFolder,
} from "./fragments.js";
export type { SkippedFile } from "./read-folder.js";
