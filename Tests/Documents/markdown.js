// Parses the parts of Markdown that the documents' checks need.

/** Returns the text with fenced code blanked, so that lines keep their numbers. @param {string} text */
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

/** Returns the blocks of fenced code. @param {string} text */
export const blocks = (text) =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, code]) => ({ language, code }));

/** Returns the texts in single backticks. @param {string} text */
export const codeSpans = (text) => [...prose(text).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code]) => code);

/** Returns the texts in double backticks: DocC's links to symbols. @param {string} text */
export const symbolLinks = (text) => [...prose(text).matchAll(/(?<!`)``([^`\n]+)``(?!`)/g)].map(([, code]) => code);

/** Returns the destinations of links. @param {string} text */
export const links = (text) =>
  [...prose(text).replaceAll(/`[^`\n]*`/g, "code").matchAll(/\[(?:[^[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target);

/** Returns the articles that a DocC catalog's page links to. @param {string} text */
export const articleLinks = (text) => [...prose(text).matchAll(/<doc:(\w+)>/g)].map(([, name]) => name);

/** Returns the anchors of all headings, as GitHub creates them. @param {string} text */
export const anchors = (text) =>
  [...prose(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) =>
    heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(/\s/g, "-"));
