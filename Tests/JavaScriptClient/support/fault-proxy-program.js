// The fault proxy as a program, for clients that are not written in JavaScript:
//
//     node fault-proxy-program.js TARGET SEED FAULT
//
// disturbs four of ten requests, with one fault or "all of them". The first line of output has its address. At the end of its
// input it prints how often each fault has occurred, and whether retries of overtaken requests were handled before them.
import { FaultProxy, faults } from "./fault-proxy.js";
import { random } from "./random.js";

const [target, seed, fault] = process.argv.slice(2);
if (!target || !Number.isInteger(Number(seed)) || ![...faults, "all of them"].includes(fault)) {
  console.error("usage: node fault-proxy-program.js TARGET SEED FAULT");
  process.exit(2);
}
const next = random(Number(seed));
const proxy = await FaultProxy.start(target, () => {
  if (next() > 0.4) return null;
  return fault === "all of them" ? faults[Math.floor(next() * faults.length)] : fault;
});
console.log(`fault proxy: listening on ${proxy.url}`);
process.stdin.resume().once("end", async () => {
  await proxy.close();
  const lateAnswers = proxy.lateAnswers.map(({ headers }) => headers["idempotent-replayed"] === "true");
  console.log(JSON.stringify({ counts: proxy.counts, lateAnswers }));
});
