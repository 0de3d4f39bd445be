// Parts of a page that change by themselves: the server sends them whole, each to its place.
"use strict";

// A browser has few connections to a server: a page that nobody looks at holds none.
for (const root of document.querySelectorAll("[data-live-from]")) {
  const places = [root, ...root.querySelectorAll("[data-live]")].filter((one) => one.dataset.live);
  let source = null;

  const open = () => {
    if (source) return;
    source = new EventSource(root.dataset.liveFrom);
    for (const place of places) {
      source.addEventListener(place.dataset.live, (event) => show(place, event.data));
    }
    // A server that was started again does not know this browser, and says so once and for all.
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) notice(document.body.dataset.failed);
    });
    source.addEventListener("open", () => notice(""));
  };
  const close = () => {
    source?.close();
    source = null;
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}

// What a person is about to do is not taken away: the focus, what is typed, what is unfolded.
function show(place, text) {
  const focus = place.contains(document.activeElement) ? document.activeElement : null;
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
  if (focus) focusAgain(place, focus);
}

// The same control has the focus after it was drawn anew; where it is gone, its place has it, so
// that Tab goes on from there.
function focusAgain(place, before) {
  const named = (one) =>
    one.id || one.getAttribute("href") || one.getAttribute("aria-label") || one.textContent;
  const same = [...place.querySelectorAll(before.localName)]
    .find((one) => named(one) === named(before));
  place.tabIndex = -1;
  (same ?? place).focus({ preventScroll: true });
}
