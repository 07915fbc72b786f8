import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords } from "../../Public/session/card.js";

for (const [shown, words] of [["push", "push"], ["fullScreen", "full screen"], ["overFullScreen", "over full screen"], ["actionSheet", "action sheet"]]) {
  test(`the description of a card shown as "${shown}" is "${words}"`, () => {
    assert.equal(inWords(shown), words);
  });
}
