/**
 * Returns texts with a contrast below AA. The function runs in the page, so it must not use anything outside itself.
 * @returns {string[]} one line each
 */
export function contrastFaults() {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const known = new Map();

  /** Converts any CSS color to red, green, blue (to 255) and alpha (to 1). */
  function read(color) {
    if (!known.has(color)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
      known.set(color, [red, green, blue, alpha / 255]);
    }
    return known.get(color);
  }

  function over(upper, lower) {
    const alpha = upper[3] + lower[3] * (1 - upper[3]);
    if (!alpha) return [0, 0, 0, 0];
    const mixed = [0, 1, 2].map((each) => (upper[each] * upper[3] + lower[each] * lower[3] * (1 - upper[3])) / alpha);
    return [...mixed, alpha];
  }

  function luminance([red, green, blue]) {
    const [r, g, b] = [red, green, blue].map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function contrast(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  /** Returns the possible backgrounds of an element's content: its color, or each color of its gradient. */
  function backdrops(style) {
    const color = read(style.backgroundColor);
    if (style.backgroundImage === "none") return [color];
    const stops = style.backgroundImage.match(/(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\([^()]*\)/g) ?? [];
    return stops.length ? stops.map((stop) => over(read(stop), color)) : [color];
  }

  /** Returns the shape behind a drawing's text: an earlier shape of its group that encloses the text. */
  function shapeUnder(text) {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const shapes = [...(text.closest("g, svg")?.querySelectorAll(":scope > :is(rect, circle, ellipse, path)") ?? [])];
    return shapes.reverse().find((shape) => {
      const box = shape.getBoundingClientRect();
      const isAround = box.left <= (left + right) / 2 && box.right >= (left + right) / 2 && box.top <= top + 2 && box.bottom >= bottom - 2;
      return isAround && getComputedStyle(shape).fill !== "none";
    });
  }

  /** An element for the color that the browser paints if a page paints nothing. */
  const probe = document.documentElement.appendChild(document.createElement("div"));
  probe.style.backgroundColor = "Canvas";
  const canvas = read(getComputedStyle(probe).backgroundColor);
  probe.remove();

  /** Returns the lowest possible contrast of a text with the layers behind it, each with its opacity. */
  function worst(element, color) {
    let pairs = [[color, [0, 0, 0, 0]]];
    const drawn = element.closest("svg") && shapeUnder(element);
    if (drawn) {
      const style = getComputedStyle(drawn);
      const fill = read(style.fill);
      const shade = [...fill.slice(0, 3), fill[3] * Number(style.fillOpacity) * Number(style.opacity)];
      pairs = pairs.map(([text, ground]) => [over(text, shade), over(ground, shade)]);
    }
    for (let each = element; each; each = each.parentElement) {
      const style = getComputedStyle(each);
      const opacity = Number(style.opacity);
      const layers = each.closest("svg") && each.tagName !== "svg" ? [[0, 0, 0, 0]] : backdrops(style);
      pairs = pairs.flatMap(([text, ground]) =>
        layers.map((layer) => [over(text, layer), over(ground, layer)].map(([r, g, b, a]) => [r, g, b, a * opacity])),
      );
    }
    return Math.min(...pairs.map(([text, ground]) => contrast(over(text, canvas), over(ground, canvas))));
  }

  const faults = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data.trim()) texts.push(node.parentElement);
  for (const field of document.querySelectorAll("input, textarea, select")) texts.push(field);
  for (const element of new Set(texts)) {
    // Skips elements without readers: hidden, moving, or disabled ones; a drawing's title is not painted.
    if (element.matches("script, style, noscript, title, option, [type=range]")) continue;
    if (element.closest("[inert], :disabled, [aria-disabled=true]")) continue;
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const { width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const style = getComputedStyle(element);
    const ratio = worst(element, read(element.closest("svg") ? style.fill : style.color));
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) {
      const text = (element.value ?? element.textContent).trim().slice(0, 40);
      faults.add(`contrast: ${ratio.toFixed(2)} for "${text}" in <${element.tagName.toLowerCase()} class="${element.getAttribute("class") ?? ""}">, ${isDark ? "dark" : "light"}`);
    }
  }
  return [...faults];
}
