import type { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";

/** A fragment as messages name it: its id, or its place where the server made the id. */
export function nameAt({ fragments }: AssembleRequest, position: number): string {
  return fragments[position]?.fragmentId || `#${position}`;
}
