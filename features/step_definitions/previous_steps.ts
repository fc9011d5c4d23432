import assert from "node:assert/strict";
import { Given, Then, When } from "@cucumber/cucumber";
import { StrategySpec } from "../../gen/acms/v1/strategy.js";
import { beginConversation, converse, previousOf } from "../support/conversation.js";
import type { AcmsWorld } from "../support/world.js";

Given("the previous payload held {names}", function (this: AcmsWorld, contents: string[]) {
  this.request.previous = previousOf(contents.map((content) => ({ fragmentId: "", content })));
});

Given("the previous payload names nothing of a fragment", function (this: AcmsWorld) {
  this.request.previous = { fragments: [{ fragmentId: "", contentHash: "" }] };
});

Given(
  "a conversation of {int} messages of {int} tokens, a minute apart",
  function (this: AcmsWorld, count: number, tokens: number) {
    beginConversation(this, count, tokens);
  },
);

When(
  "the client assembles for {int} turn(s) by {names}, each with one more message and the payload before",
  async function (this: AcmsWorld, turns: number, strategies: string[]) {
    await converse(this, turns, ...strategies);
  },
);

When(
  "the client assembles for {int} turn(s) by a window of {int} messages, each with one more message and the payload before",
  async function (this: AcmsWorld, turns: number, windowSize: number) {
    const window = StrategySpec.fromPartial({
      name: "sliding_window",
      config: { $case: "slidingWindow", value: { windowSize } },
    });
    await converse(this, turns, window);
  },
);

Then("the stable prefix takes {int} tokens", function (this: AcmsWorld, tokens: number) {
  assert.equal(this.payload.stablePrefixTokens, tokens);
});

Then("the start of the payload breaks {int} time(s)", function (this: AcmsWorld, times: number) {
  const breaks = this.payloads.filter((payload, turn) => {
    return turn > 0 && payload.stablePrefixTokens !== this.payloads[turn - 1]?.totalTokens;
  });
  assert.equal(breaks.length, times);
});
