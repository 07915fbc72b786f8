import assert from "node:assert/strict";
import { test } from "node:test";
import { EventReader } from "../../Clients/JavaScript/source/event-reader.js";

const text = ": quiet\r\nid: 3\r\nevent: state\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\nretry: 1500\nevent: end\rdata: {}\n\ndata\n\nevent: none\n\n";
const expected = [
  { type: "state", data: "{\"a\":\n1}", id: "3" }, { type: "end", data: "{}", id: "3" }, { type: "message", data: "", id: "3" },
];

test("the reader returns the same events however the text is divided", () => {
  for (let size = 1; size <= text.length; size++) {
    const reader = new EventReader(), events = [];
    for (let at = 0; at < text.length; at += size) events.push(...reader.read(text.slice(at, at + size)));
    assert.deepEqual(events, expected, `in pieces of ${size}`);
    assert.equal(reader.retry, 1500);
  }
});
