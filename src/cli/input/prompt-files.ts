import { basename } from "node:path";
import { PromptSection, type TrimPolicy } from "../../../gen/acms/v1/prompt.js";
import { type CliIo, ExitError, exitCodes } from "../io.js";
import { readInput } from "./read-input.js";

/** A file that a flag makes a part of a section. */
export interface PromptFile {
  readonly section: string;
  readonly file: string;
  /** True: the file's name stands above its text, however few files the section has. */
  readonly isLabelled: boolean;
  readonly policy?: TrimPolicy;
}

/** What may be done to a section, as a flag says it. */
export const policyForms = ":keep, :drop, :head-lines=N or :shorten=N";

/** `NAME=FILE` or `NAME=FILE:POLICY`; undefined where it is neither. */
export function parsePromptFile(text: string): PromptFile | undefined {
  const [, section, file, policy] =
    /^([^=]+)=(.+?)(?::(keep|drop|head-lines=\d{1,9}|shorten=\d{1,9}))?$/s.exec(text) ?? [];
  if (section === undefined || file === undefined) {
    return undefined;
  }
  return { section, file, isLabelled: false, ...(policy === undefined ? {} : { policy: policyOf(policy) }) };
}

function policyOf(text: string): TrimPolicy {
  const [name, number = ""] = text.split("=");
  switch (name) {
    case "drop":
      return { policy: { $case: "drop", value: {} } };
    case "head-lines":
      return { policy: { $case: "headLines", value: { lines: Number(number) } } };
    case "shorten":
      return { policy: { $case: "shorten", value: { floorCharacters: Number(number) } } };
    default:
      return { policy: { $case: "keep", value: {} } };
  }
}

/**
 * The sections that files make up, in the order in which they were first named. Files of one section are its parts, and where there are
 * several each has its name above it.
 */
export async function readPromptSections(io: CliIo, files: readonly PromptFile[]): Promise<PromptSection[]> {
  if (files.filter(({ file }) => file === "-").length > 1) {
    throw new ExitError(exitCodes.wrongUse, "error: the standard input (-) can be one file only");
  }
  const sections = new Map<string, PromptSection>();
  for (const { section: name, file, isLabelled, policy } of files) {
    const section = sections.get(name) ?? PromptSection.fromPartial({ name });
    sections.set(name, section);
    const isOneOfMany = files.filter((each) => each.section === name).length > 1;
    section.parts.push({ label: isLabelled || isOneOfMany ? basename(file) : "", content: await readPart(io, file) });
    section.policy = policy ?? section.policy;
  }
  return [...sections.values()];
}

/** A policy that is none is a part of the file's name, and then there is no such file. */
async function readPart(io: CliIo, file: string): Promise<string> {
  try {
    return await readInput(io, file);
  } catch (error) {
    const end = /:[^:/\\]*$/.exec(file)?.[0];
    if (end === undefined || !(error instanceof ExitError)) throw error;
    throw new ExitError(error.code, [
      ...error.lines,
      `If ${JSON.stringify(end)} is to say what may be done to it: ${policyForms}.`,
    ]);
  }
}
