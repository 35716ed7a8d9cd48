// Small comforts. Every page reads and works without this file.
const status = document.createElement("p");
status.className = "visually-hidden";
status.setAttribute("role", "status");
document.body.append(status);

// Copy buttons are hidden until there is a script to serve them.
if (navigator.clipboard) {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(source.value ?? source.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not allowed by the browser";
      }
      status.textContent = button.textContent;
      setTimeout(() => {
        button.textContent = label;
      }, 2500);
    });
  }
}

// One menu open at a time; Escape closes it and gives the focus back.
const menus = [...document.querySelectorAll("details.menu")];
for (const menu of menus) {
  menu.addEventListener("toggle", () => {
    if (menu.open) for (const other of menus) if (other !== menu) other.open = false;
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus) {
    if (menu.open) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  }
});
