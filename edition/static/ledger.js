/* The ledger's filter: show the claims of one paper, or of one verdict. Without script, all are shown. */
document.addEventListener("DOMContentLoaded", () => {
  const tables = [...document.querySelectorAll("table.claims-ledger")];
  if (!tables.length) return;
  const rows = tables.flatMap((table) => [...table.tBodies[0].rows]);
  const kind = (element, prefix) => [...element.classList].find((name) => name.startsWith(prefix));

  const chooser = (label, options) => {
    const outer = document.createElement("label");
    const select = document.createElement("select");
    select.append(new Option("all", ""), ...options.map(([value, text]) => new Option(text, value)));
    outer.append(`${label} `, select);
    return [outer, select];
  };
  const heading = (table) => table.closest("section").querySelector("h2").firstChild.textContent;
  const verdicts = new Map(rows.map((row) => [kind(row, "verdict-"), row.querySelector(".claim").textContent]));
  const [partLabel, part] = chooser("Part", tables.map((table) => [kind(table, "part-"), heading(table)]));
  const [verdictLabel, verdict] = chooser("Verdict", [...verdicts]);
  const count = document.createElement("output");
  const form = document.createElement("form");
  form.className = "claims-filter";
  form.append(partLabel, verdictLabel, count);
  form.addEventListener("submit", (event) => event.preventDefault());

  const update = () => {
    for (const table of tables) {
      const here = !part.value || table.classList.contains(part.value);
      for (const row of table.tBodies[0].rows) {
        row.hidden = !(here && (!verdict.value || row.classList.contains(verdict.value)));
      }
      table.closest("section").hidden = [...table.tBodies[0].rows].every((row) => row.hidden);
    }
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} claims`;
  };
  form.addEventListener("change", update);
  tables[0].closest("section").before(form);
  form.reset();
  update();
});
