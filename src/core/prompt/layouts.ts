import type { TrimPolicy } from "./sections.js";

/** How a prompt is laid out, and what is trimmed first. All of it is data: every layout is fitted alike. */
export interface Layout {
  /** The sections that exist, in the order in which they print. Absent: any, in the order of the request. */
  readonly sections?: readonly KnownSection[];
  /** Names of sections, the first to be trimmed first. Absent: from the last section of the request to the first. */
  readonly trimOrder?: readonly string[];
  /** The note follows this section. Absent, or where the section prints nothing: the note comes first. */
  readonly noteAfter?: string;
}

/** What a layout says about one section. */
export interface KnownSection {
  readonly name: string;
  readonly title: string;
  readonly policy: TrimPolicy;
}

const keep: TrimPolicy = { kind: "keep" };
const drop: TrimPolicy = { kind: "drop" };

/** A change under review: what to do, where the project stands, the plans, and what helps to understand them. */
const review: Layout = {
  sections: [
    { name: "instructions", title: "", policy: keep },
    { name: "roadmap", title: "Roadmap", policy: keep },
    { name: "project", title: "Project", policy: { kind: "head_lines", lines: 40 } },
    { name: "plans", title: "Plans", policy: { kind: "shorten", floorCharacters: 1_024 } },
    { name: "context", title: "Context", policy: drop },
    { name: "research", title: "Research", policy: drop },
    { name: "requirements", title: "Requirements", policy: drop },
  ],
  trimOrder: ["project", "plans", "context", "research", "requirements", "roadmap", "instructions"],
  noteAfter: "instructions",
};

/** The layouts by name; the first is the default. */
export const LAYOUTS: ReadonlyMap<string, Layout> = new Map([
  ["review", review],
  ["plain", {}],
]);

/** The layout of requests that name none. */
export const DEFAULT_LAYOUT = "review";
