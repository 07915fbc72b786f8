import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { accessibilityFaults } from "./support/accessibility.js";
import { Browser } from "./support/browser.js";

let browser;

/** The faults that the checker finds in a page. @param {string} body, @param {string} [style] */
async function faults(body, style = "") {
  const page = await browser.page();
  const { frameTree } = await page.send("Page.getFrameTree");
  const frame = `<style>button, a, input { min-width: 40px; min-height: 40px; display: inline-block } ${style}</style>`;
  const html = `<!doctype html><html lang="en"><title>t</title>${frame}<body><header><h1>Title</h1></header>${body}</body></html>`;
  await page.send("Page.setDocumentContent", { frameId: frameTree.frame.id, html });
  const found = await accessibilityFaults(page);
  await page.close();
  return found;
}

/** Wraps content in `main`, which every page must have. */
const inMain = (body) => `<main>${body}</main>`;

const cases = [
  ["a button without a name", inMain("<button></button>"), "", /^name: a button/],
  ["a field without a label", inMain("<input>"), "", /^name: a textbox/],
  ["an id that is there twice", inMain('<p id="a">1</p><p id="a">2</p>'), "", /^id: a/],
  ["a reference to nothing", inMain('<p aria-describedby="b">1</p>'), "", /^reference: aria-describedby/],
  ["a drawing without a role", inMain("<svg width=50 height=50><text>1</text></svg>"), "", /^picture: .* no role/],
  ["a drawing without a name", inMain('<svg role="img" width=50 height=50></svg>'), "", /^picture: .* no name/],
  ["a heading that skips a level", inMain("<h3>Deep</h3>"), "", /^heading: .* level 3 after one of level 1/],
  ["a page without a main part", "<nav aria-label='x'>Text</nav>", "", /^landmark: there are 0/],
  ["text outside of all landmarks", "<main>a</main><div>Text</div>", "", /^landmark: <div/],
  ["a positive tabindex", inMain('<button tabindex="3">a</button>'), "", /^order: /],
  ["a focus on what is hidden from readers", inMain('<div aria-hidden="true"><button>a</button></div>'), "", /^hidden: /],
  ["a control within a control", inMain('<a href="#x"><span tabindex="0">b</span></a>'), "", /^nesting: /],
  ["a tab without a list of tabs", inMain('<button role="tab">a</button>'), "", /^role: /],
  ["two regions of the same name", inMain('<section aria-label="a">1</section><section aria-label="a">2</section>'), "", /^name: 2 parts/],
  ["pale text", inMain("<p>Text</p>"), "p { color: #999; background: #fff }", /^contrast: 2\.\d+ for "Text"/],
  ["text over a gradient that ends pale", inMain("<p>Text</p>"), "p { color: #000; background: linear-gradient(#fff, #333) }", /^contrast: /],
  ["text that opacity makes pale", inMain("<p>Text</p>"), "html { background: #fff } p { color: #555; opacity: 0.6 }", /^contrast: /],
  ["pale text in a drawing", inMain('<svg role="img" aria-label="a"><rect width="90" height="40" fill="#222"/><text x="9" y="20" fill="#444">1</text></svg>'), "", /^contrast: .* for "1"/],
  ["text that is pale by night only", inMain("<p>Text</p>"), "p { background: #fff; color: #000 } @media (prefers-color-scheme: dark) { p { color: #bbb } }", /^contrast: .*, dark$/],
  ["a small button", inMain("<button>a</button>"), "button { min-width: 10px; min-height: 10px; width: 20px; height: 20px; padding: 0 }", /^target: "a" .* 20 by 20/],
  ["a focus that is not to be seen", inMain("<button>a</button>"), "button:focus-visible { outline: none }", /^focus: "a" .* does not show/],
  ["a tab list that the Tab key cannot enter", inMain('<div role="tablist" aria-label="a"><button role="tab" tabindex="-1">b</button></div>'), "", /^focus: Tab cannot enter/],
  ["a button that the Tab key does not come to", inMain('<button>a</button><button id="b">b</button><script>document.addEventListener("keydown", e => e.preventDefault())</script>'), "", /^focus: Tab does not come to "b"/],
];

describe("The accessibility check", () => {
  before(async () => (browser = await Browser.start()));
  after(() => browser.close());

  test("The check finds nothing on a good page", async () => {
    const body = `<h2>Form</h2><p>Text with <a href="#x" style="display: inline">a link</a> in it.</p>
      <form aria-label="Send"><label for="a">Name</label><input id="a"><button>Send</button></form>
      <svg role="img" aria-label="Plot" width="50" height="50"><rect width="50" height="50" fill="#fff"/><text y="20" fill="#333">1</text></svg>`;
    assert.deepEqual(await faults(inMain(body)), []);
  });

  for (const [what, body, style, expected] of cases) {
    test(`The check finds ${what}`, async () => {
      const found = await faults(body, style);
      assert.ok(found.some((fault) => expected.test(fault)), `${expected} is not in:\n${found.join("\n")}`);
    });
  }
});
