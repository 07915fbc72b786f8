// Numbers as people read them.

/**
 * How long ago something was.
 * @param {string} time As RFC 3339 has it.
 * @param {number} now Milliseconds since 1970.
 */
export function age(time, now) {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (!Number.isFinite(seconds)) return "unknown";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** @param {number} count */
export function bytes(count) {
  if (count < 1024) return `${count} B`;
  if (count < 1024 * 1024) return `${short(count / 1024)} KiB`;
  return `${short(count / 1024 / 1024)} MiB`;
}

/** @param {number} number */
function short(number) {
  return number < 10 ? number.toFixed(1) : String(Math.round(number));
}

/** @param {number} number */
export function count(number) {
  return number.toLocaleString("en");
}

/**
 * The beginning of a session's id, enough to tell two apart.
 * @param {string} id
 */
export function shortID(id) {
  return id.slice(0, 8);
}
