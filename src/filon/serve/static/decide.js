"use strict";
// Keys answer the question that is shown: y, n, s, u press the button that has them. They can be
// switched off, and do nothing while somebody writes or holds another key.
(() => {
  const box = document.getElementById("single-keys");
  const kept = "filon-single-keys";
  box.closest("[hidden]").hidden = false; // without a script there are no such keys
  box.checked = localStorage.getItem(kept) !== "off";
  box.addEventListener("change", () => localStorage.setItem(kept, box.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (!box.checked || writing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const button = document.querySelector(`#review button[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (button && !document.querySelector("#review .htmx-request")) {
      event.preventDefault();
      button.click();
    }
  });
  // After an answer the next question is read out, and Tab goes on from there.
  document.body.addEventListener("htmx:afterSwap", () => document.getElementById("asked")?.focus());
})();
