/* Sliders: a control below a figure exchanges its images among pictures that were drawn when the chapter was executed
   (see edition/sphinx_ext/interactive.py). Nothing moves but by the reader's hand. */
for (const control of document.querySelectorAll(".figure-slider")) {
  const range = control.querySelector("input"), output = control.querySelector("output");
  const { pictures, texts } = JSON.parse(control.dataset.slider);
  const figure = control.parentElement, link = figure.querySelector("a.enlarge"), image = figure.querySelector("img");
  const rest = range.defaultValue;
  const loaded = {}; // decoded pictures by address, held so that the browser keeps them

  /* Of all pictures, from the first touch on, so that none is waited for. */
  const load = (address) => {
    loaded[address] ??= Object.assign(new Image(), { src: address });
    return loaded[address].decode();
  };
  const loadAll = () => pictures.forEach((address) => load(address).catch(() => {})); // a missing one is told on use

  /* The former picture stays until the next is decoded: no flicker; what was passed meanwhile is left out. */
  const show = async () => {
    const chosen = range.value;
    output.value = texts[chosen];
    range.setAttribute("aria-valuetext", texts[chosen]);
    await load(pictures[chosen]);
    if (chosen !== range.value) return;
    image.src = pictures[chosen];
    if (link) link.href = pictures[chosen]; // what is enlarged
  };

  range.value = rest; // some browsers keep what was chosen before the page was loaded again
  range.addEventListener("input", show);
  for (const event of ["pointerenter", "pointerdown", "focus"]) range.addEventListener(event, loadAll, { once: true });
  control.hidden = false;
}
