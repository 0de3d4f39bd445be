// Filter and sort for tables within ".sift"; without this script they are plain tables.
"use strict";
{
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  // Without accents and in small letters; most texts have no accents to look for.
  const bare = (text) => (/^[\x00-\x7f]*$/.test(text) ? text
    : text.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase();

  const element = (name, css, text) => {
    const made = document.createElement(name);
    made.className = css;
    made.textContent = text;
    return made;
  };

  // What a cell is sorted by: a number where it has one (in <data>), else its text.
  const value = (row, column) => {
    const cell = row.cells[column];
    const data = cell.querySelector("data");
    return data ? Number(data.value) : cell.textContent.trim();
  };

  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return collator.compare(String(a), String(b));
  };

  const sift = (box) => {
    const table = box.querySelector("table");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    let texts = null;
    let timer = 0;

    const field = document.createElement("input");
    field.type = "search";
    field.placeholder = "words of a row";
    const label = element("label", "", "Filter ");
    label.append(field);
    const shown = element("output", "dim", "");
    const bar = element("p", "sifter", "");
    bar.append(label, shown);
    box.prepend(bar);

    const filter = () => {
      texts ??= rows.map((row) => bare(row.textContent));
      const words = bare(field.value).split(/\s+/).filter(Boolean);
      let left = 0;
      rows.forEach((row, n) => {
        row.hidden = !words.every((word) => texts[n].includes(word));
        left += row.hidden ? 0 : 1;
      });
      shown.textContent = words.length ? `${left} of ${rows.length}` : "";
    };
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(filter, 80);
    });

    // Up, down, and back to the order of the page; figures begin with the largest.
    const sort = (head, column) => {
      const turns = head.classList.contains("figure")
        ? ["descending", "ascending", ""] : ["ascending", "descending", ""];
      const turn = turns[(turns.indexOf(head.getAttribute("aria-sort") ?? "") + 1) % 3];
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      let order = rows;
      if (turn) {
        head.setAttribute("aria-sort", turn);
        const way = turn === "ascending" ? 1 : -1;
        const keyed = rows.map((row) => [value(row, column), row]);
        // What is empty comes last, whichever way.
        const full = keyed.filter(([key]) => key !== "").sort((a, b) => way * compare(a[0], b[0]));
        order = [...full, ...keyed.filter(([key]) => key === "")].map(([, row]) => row);
      }
      body.replaceChildren(...order);
    };
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const button = element("button", "", head.textContent);
      button.type = "button";
      button.addEventListener("click", () => sort(head, column));
      head.replaceChildren(button);
    });
  };

  document.querySelectorAll(".sift").forEach(sift);
}
