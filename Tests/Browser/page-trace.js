import { pathToFileURL } from "node:url";
import { Browser } from "./support/browser.js";
import { Server } from "./support/server.js";
import { SessionView } from "./support/session-view.js";
import { logIn } from "./support/stage.js";

// Traces the page while a session of forty screens is walked, and prints the longest tasks; `script/page-trace` runs this.
const depth = 40, shown = 10, limit = 16;

/** The kinds of tasks for script, style and layout; painting is left out, because the compositor does it. */
const kinds = new Map([
  ["EvaluateScript", "script"], ["FunctionCall", "script"], ["RunMicrotasks", "script"], ["EventDispatch", "script"],
  ["TimerFire", "script"], ["FireAnimationFrame", "script"], ["v8.compile", "script"], ["v8.run", "script"],
  ["MinorGC", "script"], ["MajorGC", "script"], ["ParseHTML", "script"], ["XHRReadyStateChange", "script"],
  ["UpdateLayoutTree", "layout"], ["Layout", "layout"], ["PrePaint", "layout"], ["HitTest", "layout"],
]);

/**
 * Returns the tasks of the page's main thread, the longest first. The times are processor times if the trace has them, so that
 * other work on the machine does not count.
 * @param {any[]} events
 * @returns {{ total: number, parts: Map<string, number>, at: number, places: string[] }[]} Times in milliseconds.
 */
export function tasks(events) {
  const main = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const threads = new Set(main.map(({ pid, tid }) => `${pid} ${tid}`));
  const complete = events.filter(({ ph, pid, tid }) => ph === "X" && threads.has(`${pid} ${tid}`)).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const found = [];
  /** @type {any} */
  let task = null, workEnd = 0;
  for (const event of complete) {
    if (event.name === "RunTask" || event.name === "ThreadControllerImpl::RunTask") {
      if (task && event.ts < task.end) continue;
      task = { end: event.ts + event.dur, at: event.ts / 1000, total: 0, parts: new Map(), places: [] };
      workEnd = 0;
      found.push(task);
    } else if (task && event.ts < task.end && kinds.has(event.name)) {
      const { url, lineNumber, functionName } = event.args?.data ?? {};
      if (url?.startsWith("http")) task.places.push(`${functionName || "(anonymous)"} ${new URL(url).pathname}:${lineNumber}`);
      // A nested event counts as a part of the outer one.
      if (event.ts < workEnd) continue;
      workEnd = event.ts + event.dur;
      const time = (event.tdur ?? event.dur) / 1000;
      const kind = /** @type {string} */ (kinds.get(event.name));
      task.total += time;
      task.parts.set(kind, (task.parts.get(kind) ?? 0) + time);
    }
  }
  return found.sort((one, other) => other.total - one.total);
}

/** Traces the page while a function runs. @param {import("./support/page.js").Page} page, @param {() => Promise<void>} body */
export async function traced(page, body) {
  /** @type {any[]} */
  const events = [];
  const complete = new Promise((resolve) => {
    page.listen((method, params) => {
      if (method === "Tracing.dataCollected") events.push(...params.value);
      if (method === "Tracing.tracingComplete") resolve(null);
    });
  });
  const includedCategories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel", "v8"];
  await page.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories } });
  await body();
  await page.send("Tracing.end");
  await complete;
  return events;
}

/** Opens the session's page. */
async function open(page, server, session) {
  await page.open(`${server.url}/#/sessions/${session}`);
  const view = new SessionView(page, session);
  await view.isThere();
  await view.journal.get("slider", "Revision").appears();
  await page.until(() => page.network.isQuiet, "nothing is under way any more");
}

/** Pushes forty screens. */
async function walk(page, server, session) {
  const slider = new SessionView(page, session).journal.get("slider", "Revision");
  const revision = async () => Number(await slider.value());
  for (let step = 1; step <= depth; step++) {
    const { revision: newest } = await server.send(session, { event: step === 1 ? { deep: { count: 1 } } : { next: {} } });
    await page.becomes(revision, newest);
  }
  await page.until(() => page.network.isQuiet, "nothing is under way any more");
}

/** Travels back and forth in time, by one step and by forty. */
async function travel(page, session) {
  await (await new SessionView(page, session).journal.get("slider", "Revision").one()).focus();
  for (const key of ["Home", ...Array(5).fill("ArrowRight"), "End", ...Array(10).fill("ArrowLeft"), "End"]) {
    await page.keyboard.press(key);
    await page.change();
  }
  await page.until(() => page.network.isQuiet, "nothing is under way any more");
}

/** @param {string} what, @param {ReturnType<typeof tasks>} all */
function report(what, all) {
  const long = all.filter(({ total }) => total > limit);
  console.log(`${what}: ${all.length} tasks, ${long.length} of more than ${limit} ms of script and layout; the longest:`);
  for (const { total, parts, places } of all.slice(0, shown)) {
    const words = [...parts].map(([kind, time]) => `${kind} ${time.toFixed(1)}`).join(", ");
    console.log(`${total.toFixed(1).padStart(7)} ms  ${words}${places.length ? `  ${[...new Set(places)].slice(0, 4).join("; ")}` : ""}`);
  }
  return long.length;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [browser, server] = await Promise.all([Browser.start(), Server.start("gallery")]);
  try {
    const session = await server.session("gallery");
    const page = await browser.page({ width: 1440, height: 900, motion: true });
    await logIn(page, server);
    report("opening the page", tasks(await traced(page, () => open(page, server, session))));
    report("walking forty screens", tasks(await traced(page, () => walk(page, server, session))));
    report("travelling in time", tasks(await traced(page, () => travel(page, session))));
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
}
