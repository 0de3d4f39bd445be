// Parts of a page that change by themselves: the server sends them whole, each to its place.
"use strict";

for (const root of document.querySelectorAll("[data-live-from]")) {
  const places = new Map();
  for (const place of [root, ...root.querySelectorAll("[data-live]")]) {
    if (place.dataset.live) places.set(place.dataset.live, place);
  }
  const source = new EventSource(root.dataset.liveFrom);
  for (const [name, place] of places) {
    source.addEventListener(name, (event) => show(place, event.data));
  }
  // A server that was started again does not know this browser, and says so once and for all.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) notice(document.body.dataset.failed);
  });
  source.addEventListener("open", () => notice(""));
  addEventListener("pagehide", () => source.close());
}

// What a person is about to do is not taken away: the focus, what is typed, what is unfolded.
function show(place, text) {
  const focus = place.contains(document.activeElement) ? document.activeElement.id : "";
  const typed = [...place.querySelectorAll("input[id]:not([type=hidden])")]
    .filter((input) => input.value !== input.defaultValue)
    .map((input) => [input.id, input.value]);
  const open = [...place.querySelectorAll("details")].map((one) => one.open);
  place.innerHTML = text;
  for (const [id, value] of typed) {
    const input = document.getElementById(id);
    if (input) input.value = value;
  }
  place.querySelectorAll("details").forEach((one, number) => { one.open = Boolean(open[number]); });
  if (focus) document.getElementById(focus)?.focus();
}
