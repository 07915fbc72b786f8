// Gestures on the cards: a swipe from the left edge, and a pull on a sheet's head.

const farEnough = 90, edge = 44;

/**
 * @param {HTMLElement} screens
 * @param {import("./device.js").Gestures} listener
 */
export function follow(screens, { top, swiped, pulled }) {
  screens.addEventListener("pointerdown", (start) => {
    const card = top();
    const target = /** @type {Element} */ (start.target);
    if (!card?.contains(target) || start.button !== 0 || target.closest("button, textarea, input, select")) return;
    const box = card.getBoundingClientRect();
    const direction = start.clientX - box.left < edge ? "across" : target.closest("header") ? "down" : null;
    if (!direction) return;
    start.preventDefault();
    card.setPointerCapture(start.pointerId);
    let distance = 0;

    const move = (/** @type {PointerEvent} */ event) => {
      distance = Math.max(0, direction === "across" ? event.clientX - start.clientX : event.clientY - start.clientY);
      card.style.translate = direction === "across" ? `${distance}px 0` : `0 ${distance}px`;
    };
    const end = (/** @type {PointerEvent} */ event) => {
      card.removeEventListener("pointermove", move);
      card.removeEventListener("pointerup", end);
      card.removeEventListener("pointercancel", end);
      card.style.translate = "";
      // A gesture that ends too early is ignored.
      if (event.type === "pointercancel" || distance < farEnough) return;
      if (direction === "across") swiped();
      else pulled();
    };
    card.addEventListener("pointermove", move);
    card.addEventListener("pointerup", end);
    card.addEventListener("pointercancel", end);
  });
}
