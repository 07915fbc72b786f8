// Reads as much of Markdown as the documents' checks need.

/** The text without fenced code, each line in its place. @param {string} text */
export const prose = (text) => {
  let fence = "";
  return text.split("\n").map((line) => {
    const mark = line.match(/^\s*(`{3,})/)?.[1] ?? "";
    if (fence) {
      if (mark.length >= fence.length) fence = "";
      return "";
    }
    fence = mark;
    return fence ? "" : line;
  }).join("\n");
};

/** The blocks of fenced code. @param {string} text */
export const blocks = (text) =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, code]) => ({ language, code }));

/** What stands in single backticks. @param {string} text */
export const codeSpans = (text) => [...prose(text).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code]) => code);

/** What stands in double backticks: DocC's links to symbols. @param {string} text */
export const symbolLinks = (text) => [...prose(text).matchAll(/(?<!`)``([^`\n]+)``(?!`)/g)].map(([, code]) => code);

/** Where links lead. @param {string} text */
export const links = (text) =>
  [...prose(text).replaceAll(/`[^`\n]*`/g, "code").matchAll(/\[(?:[^[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target);

/** The articles that a DocC catalog's page names. @param {string} text */
export const articleLinks = (text) => [...prose(text).matchAll(/<doc:(\w+)>/g)].map(([, name]) => name);

/** The anchors of all headings, as GitHub makes them. @param {string} text */
export const anchors = (text) =>
  [...prose(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) =>
    heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(/\s/g, "-"));
