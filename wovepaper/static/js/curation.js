// Keys for what the buttons of the curators' pages do. Every page works without this file.
const STORED = "curation-keys";
const WRITTEN_IN = "input:not([type=radio], [type=checkbox], [type=submit], [type=button]), textarea, select, [contenteditable]";

let on = true;
try {
  on = localStorage.getItem(STORED) !== "off";
} catch {
  // Without storage the keys are on, and turning them off lasts until the next page.
}

const help = document.querySelector("[data-keys]");
const toggle = document.querySelector("[data-keys-toggle]");

function show() {
  document.documentElement.classList.toggle("keys-off", !on);
  if (!toggle) return;
  help.hidden = false;
  toggle.textContent = on ? "Turn keys off" : "Turn keys on";
}

toggle?.addEventListener("click", () => {
  on = !on;
  try {
    localStorage.setItem(STORED, on ? "on" : "off");
  } catch {
    // See above.
  }
  show();
});

// A key that is held down, or pressed again while the page leaves, acts once.
let leaving = false;
addEventListener("pageshow", () => {
  leaving = false;
});

document.addEventListener("keydown", (event) => {
  if (!on || leaving || event.repeat || event.defaultPrevented) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest(WRITTEN_IN)) return;
  const key = event.key.toLowerCase();
  if (!/^[a-z]$/.test(key)) return;
  const button = document.querySelector(`[data-key="${key}"]`);
  if (!button) return;
  event.preventDefault();
  leaving = true;
  button.click();
});

show();
