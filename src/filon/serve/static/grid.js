// Scrolls through all rows of a table: it has in the page what is seen, and a little more.
// Without this script the table has a page of rows, and links to the next.
"use strict";
{
  const BLOCK = 100; // rows that are asked for at once
  const MARGIN = 30; // rows above and below those that are seen
  const KEPT = 40; // blocks that are remembered
  const TALLEST = 8000000; // pixels: browsers do not draw beyond some millions

  // One link of a grid is a stop of the Tab key; arrows lead from row to row.
  const rove = (box, stop) => {
    for (const link of box.querySelectorAll("tbody th a")) link.tabIndex = link === stop ? 0 : -1;
  };
  document.addEventListener("keydown", (event) => {
    const way = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    const row = way && event.target.closest?.(".grid tbody th a")?.closest("tr");
    if (!row) return;
    event.preventDefault();
    const link = row[way]?.querySelector("th a");
    if (!link) return;
    rove(row.closest(".grid"), link);
    link.focus();
  });

  class Grid {
    constructor(box) {
      this.box = box;
      this.body = box.querySelector("tbody");
      this.total = Number(box.dataset.total);
      this.blocks = new Map();
      this.waiting = new Set();
      this.figures = Array.from(box.querySelectorAll("thead th")).slice(1)
        .map((head) => head.classList.contains("figure"));
      const rows = Array.from(this.body.rows);
      this.high = rows[0].getBoundingClientRect().height;
      this.keep(Number(box.dataset.first), rows.map((row) =>
        Array.from(row.cells).slice(1).map((cell) => cell.textContent)));
      this.tall = Math.min(this.total * this.high, TALLEST);
      this.status = box.parentElement.querySelector("[data-shown]");
      box.parentElement.classList.add("scripted");
      this.above = this.space();
      this.below = this.space();
      this.go(Number(box.dataset.first));
      box.addEventListener("scroll", () => this.soon());
      box.addEventListener("keydown", (event) => this.key(event));
      const form = box.parentElement.querySelector(".goto");
      if (form) form.addEventListener("submit", (event) => {
        event.preventDefault();
        const row = Number(form.elements.row.value);
        if (row >= 1) this.go(Math.min(row, this.total) - 1, true);
      });
    }

    space() {
      const row = document.createElement("tr");
      row.className = "space";
      row.setAttribute("aria-hidden", "true");
      row.append(document.createElement("td"));
      return row;
    }

    // Rows that came with the page, or from the server: whole blocks of them, and the last.
    keep(first, rows) {
      for (let at = Math.ceil(first / BLOCK) * BLOCK; at < first + rows.length; at += BLOCK) {
        const block = rows.slice(at - first, at - first + BLOCK);
        if (block.length === BLOCK || at + block.length === this.total) {
          this.blocks.set(at / BLOCK, block);
        }
      }
    }

    get seen() {
      return Math.max(1, Math.ceil((this.box.clientHeight - this.high) / this.high));
    }

    // Where all rows fit, a pixel is a pixel; else the bar tells which part of the table it is.
    get top() {
      const most = this.tall - this.seen * this.high;
      if (most <= 0) return 0;
      const share = Math.min(1, this.box.scrollTop / most);
      const last = Math.max(0, this.total - this.seen);
      return Math.min(last, Math.round(share * last));
    }

    go(row, focus) {
      const last = Math.max(1, this.total - this.seen);
      this.draw(Math.min(row, last));
      this.box.scrollTop = (Math.min(row, last) / last) * (this.tall - this.seen * this.high);
      if (focus) this.box.focus();
    }

    soon() {
      cancelAnimationFrame(this.frame);
      this.frame = requestAnimationFrame(() => this.draw(this.top));
    }

    draw(top) {
      const first = Math.max(0, top - MARGIN);
      const after = Math.min(this.total, top + this.seen + MARGIN);
      this.ask(first, after);
      const focused = document.activeElement?.closest(".grid tbody tr")?.getAttribute("aria-rowindex");
      const scale = this.tall / (this.total * this.high);
      const shown = this.box.scrollTop;
      const rows = [];
      for (let row = first; row < after; row += 1) rows.push(this.row(row));
      // The rows lie where the bar is: what is above them is space.
      const above = scale === 1 ? first * this.high
        : Math.max(0, Math.min(shown, this.tall - this.seen * this.high) - (top - first) * this.high);
      this.above.firstChild.style.height = `${above}px`;
      this.below.firstChild.style.height =
        `${Math.max(0, this.tall - above - rows.length * this.high)}px`;
      this.body.replaceChildren(this.above, ...rows, this.below);
      const before = focused && this.body.querySelector(`[aria-rowindex="${focused}"] a`);
      before?.focus({ preventScroll: true });
      rove(this.box, before || this.body.querySelector(`[aria-rowindex="${top + 2}"] a`));
      this.tell(top);
    }

    row(number) {
      const row = document.createElement("tr");
      row.setAttribute("aria-rowindex", number + 2);
      const head = document.createElement("th");
      head.scope = "row";
      const link = document.createElement("a");
      const [path, query] = this.box.dataset.row.split("?");
      link.href = `${path}/${number + 1}${query ? `?${query}` : ""}`;
      link.textContent = (number + 1).toLocaleString(document.documentElement.lang);
      head.append(link);
      row.append(head);
      const cells = this.blocks.get(Math.floor(number / BLOCK))?.[number % BLOCK];
      this.figures.forEach((figure, n) => {
        const cell = document.createElement("td");
        if (figure) cell.className = "figure";
        cell.textContent = cells ? cells[n] ?? "" : "…";
        row.append(cell);
      });
      return row;
    }

    async ask(first, after) {
      for (let block = Math.floor(first / BLOCK); block * BLOCK < after; block += 1) {
        if (this.blocks.has(block) || this.waiting.has(block)) continue;
        this.waiting.add(block);
        // Who scrolls fast wants where he stops, not all between.
        await new Promise((done) => { setTimeout(done, 60); });
        const top = this.top;
        if (block * BLOCK > top + this.seen + BLOCK || (block + 1) * BLOCK < top - BLOCK) {
          this.waiting.delete(block);
          continue;
        }
        try {
          const sign = this.box.dataset.rows.includes("?") ? "&" : "?";
          const address = `${this.box.dataset.rows}${sign}first=${block * BLOCK}&rows=${BLOCK}`;
          const answer = await fetch(address, { headers: { Accept: "application/json" } });
          if (!answer.ok) continue;
          this.blocks.set(block, (await answer.json()).rows);
          while (this.blocks.size > KEPT) this.blocks.delete(this.blocks.keys().next().value);
          this.soon();
        } catch {
          document.dispatchEvent(new Event("htmx:sendError"));
        } finally {
          this.waiting.delete(block);
        }
      }
    }

    // Where the bar tells parts only, an arrow is a row all the same.
    key(event) {
      if (this.tall >= this.total * this.high || event.target !== this.box) return;
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: this.seen, PageUp: -this.seen };
      if (!(event.key in steps)) return;
      event.preventDefault();
      this.go(Math.max(0, this.top + steps[event.key]));
    }

    tell(top) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        const last = Math.min(this.total, top + this.seen);
        const said = { first: top + 1, last, n: this.total };
        this.status.textContent = this.status.dataset.shown
          .replace(/\{(\w+)\}/g, (_, name) => said[name].toLocaleString(document.documentElement.lang));
      }, 400);
    }
  }

  const begin = (place) => place.querySelectorAll(".grid:not([data-begun])").forEach((box) => {
    box.dataset.begun = "1";
    rove(box, box.querySelector("tbody th a"));
    if (Number(box.dataset.total) > box.querySelectorAll("tbody tr").length) new Grid(box);
  });
  begin(document);
  document.addEventListener("htmx:load", (event) => begin(event.target.parentElement ?? document));

  document.addEventListener("keydown", (event) => {
    const field = event.target.closest?.("textarea[data-send]");
    if (field && event.key === "Enter" && (event.ctrlKey || event.metaKey)) field.form.requestSubmit();
  });
}
