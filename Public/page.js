// The commands are to work as they stand, wherever the server listens.
for (const place of document.querySelectorAll("[data-origin]")) place.textContent = location.origin;
