// Comforts of the pages about accounts. All but passkeys works without this file.

// What only a script can serve is hidden until there is one.
if (window.PublicKeyCredential) {
  for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;
}

// A reader who never chose a time zone is offered that of the browser.
for (const select of document.querySelectorAll("select[data-guess-time-zone]")) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (select.value === "UTC" && [...select.options].some((option) => option.value === here)) select.value = here;
}

// A passkey that was not given is no error of this page: say so where the reader looks.
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const said = document.getElementById("passkey-problem") ?? document.createElement("p");
  said.id = "passkey-problem";
  said.className = "notice notice--problem";
  said.setAttribute("role", "alert");
  said.textContent =
    event.detail.exception.name === "NotAllowedError"
      ? "No passkey was given. Try again, or choose another way."
      : "Your browser could not use a passkey here. Choose another way.";
  document.querySelector("main h1")?.after(said);
});
