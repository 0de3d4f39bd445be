// The box: Enter goes on, Shift+Enter is a new line of a list, and a file may be dropped anywhere.
"use strict";

const box = document.getElementById("box");
if (box) {
  const file = box.querySelector("input[type=file]");
  box.querySelector("textarea").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      box.requestSubmit();
    }
  });
  for (const name of ["dragenter", "dragover"]) {
    addEventListener(name, (event) => {
      event.preventDefault();
      box.classList.add("over");
    });
  }
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) box.classList.remove("over");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    box.classList.remove("over");
    if (event.dataTransfer.files.length) {
      file.files = event.dataTransfer.files;
      box.requestSubmit();
    } else if (event.dataTransfer.getData("text")) {
      box.querySelector("textarea").value = event.dataTransfer.getData("text");
    }
  });
}
