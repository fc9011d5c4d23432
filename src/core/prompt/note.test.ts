import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_NOTE, MAX_NOTE_CHARACTERS, noteOn } from "./note.js";
import type { TrimPolicy } from "./sections.js";
import type { Cut } from "./trim.js";

const cut = (name: string, kind: Cut["kind"], policy: TrimPolicy = { kind: "drop" }): Cut => {
  return { section: { name, title: "", parts: [], policy }, kind };
};

test("the note says what was cut, in order", () => {
  const cuts = [
    cut("project", "head_lines", { kind: "head_lines", lines: 40 }),
    cut("plans", "shortened", { kind: "shorten", floorCharacters: 1_024 }),
    cut("context", "dropped"),
  ];
  assert.equal(
    noteOn(cuts, DEFAULT_NOTE),
    "Note: this prompt was cut to fit its token budget: project cut to 40 lines, plans shortened, context left out.",
  );
});

test("a template has its own words and may name the cuts twice or not at all", () => {
  assert.equal(noteOn([cut("a", "dropped")], "{cuts}! {cuts}?"), "a left out! a left out?");
  assert.equal(noteOn([cut("a", "dropped")], "[trimmed]"), "[trimmed]");
});

test("a name is never read as a pattern or as a template", () => {
  assert.equal(noteOn([cut("$& {cuts} $1", "dropped")], "{cuts}."), "$& {cuts} $1 left out.");
});

test("a note has 240 characters at most, and ends with a whole one", () => {
  const exact = "x".repeat(MAX_NOTE_CHARACTERS);
  assert.equal(noteOn([], exact), exact);
  assert.equal(noteOn([], `${exact}x`), `${"x".repeat(239)}…`);
  for (const lead of ["", "a"]) {
    const note = noteOn([cut(lead + "😀".repeat(60), "dropped"), cut("😀".repeat(60), "dropped")], DEFAULT_NOTE);
    assert.ok(note.isWellFormed() && note.length <= MAX_NOTE_CHARACTERS && note.endsWith("…"));
  }
});
