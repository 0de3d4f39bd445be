// What the pages need besides htmx: the word that forms carry, copying, and telling of failures.
"use strict";

document.addEventListener("htmx:configRequest", (event) => {
  const csrf = document.querySelector('meta[name="csrf"]');
  if (csrf) event.detail.headers["X-CSRF-Token"] = csrf.content;
});

function notice(text) {
  const place = document.getElementById("notice");
  place.textContent = text;
  place.classList.toggle("shown", Boolean(text));
}

for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, () => notice(document.body.dataset.failed));
}
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) notice("");
});
// What is read out is drawn anew only where it says something else.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  const isSame = target.textContent.trim() === fragment.textContent.trim();
  if (target.hasAttribute("aria-live") && isSame) event.preventDefault();
});
// An answer that refuses is a whole page with a sentence: it takes the place of this one.
document.addEventListener("htmx:responseError", (event) => {
  const told = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
  const sentence = told.querySelector("main p");
  notice(sentence ? sentence.textContent : document.body.dataset.failed);
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    notice(button.dataset.copied);
  } catch {
    // No clipboard without TLS on another machine: the command is selected instead.
    const code = button.parentElement.querySelector("code");
    getSelection().selectAllChildren(code);
  }
});
