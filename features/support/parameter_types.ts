import { defineParameterType } from "@cucumber/cucumber";
import { STAGES, type StageRole } from "../../src/core/index.js";
import { SETTINGS, settingsOf } from "./settings.js";

// One or more names in quotes: "alpha", "beta"
defineParameterType({
  name: "names",
  regexp: /"[^"]*"(?:, "[^"]*")*/,
  transformer: (text: string): string[] => [...text.matchAll(/"([^"]*)"/g)].map(([, name = ""]) => name),
});

// A stage of the pipeline in words: depth resolver
defineParameterType({
  name: "stage",
  regexp: new RegExp(STAGES.map((role) => role.replaceAll("_", " ")).join("|")),
  transformer: (text: string): StageRole => text.replaceAll(" ", "_") as StageRole,
});

// Settings of a strategy: a window of 2 messages, the priority "1.0", the filter "fragment.pinned" and the score "2.0"
defineParameterType({ name: "settings", regexp: SETTINGS, transformer: settingsOf });

// Two or more numbers: 0.5, 0.3, 0.2
defineParameterType({
  name: "numbers",
  regexp: /-?[\d.]+(?:, -?[\d.]+)+/,
  transformer: (text: string): number[] => text.split(", ").map(Number),
});
