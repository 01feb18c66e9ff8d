/* Live pictures: in the place of a figure's image what a reader's hand can change (see edition/sphinx_ext/interactive.py). What
   all scenes share is here: the drawing, what is held by mouse, finger and keys, and the hand that invites to it. */
const live = (() => {
  const SVG = "http://www.w3.org/2000/svg", REACH = 5; // of a key that turns pages, in steps

  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const draw = (parent, tag, attributes = {}, text = "") => {
    const element = set(document.createElementNS(SVG, tag), attributes);
    element.textContent = text;
    return parent.appendChild(element);
  };

  /* Each picture of a scene on the page: its drawing of that many units, which says its name to who hears the page, the
     values that it begins with, what is said below it, and the buttons. */
  function stages(scene, width, height, name, build) {
    for (const root of document.querySelectorAll(".live-controls")) {
      const values = JSON.parse(root.dataset.live);
      if (values.scene !== scene) continue;
      const figure = root.parentElement, image = figure.querySelector("img");
      const picture = figure.querySelector("a.enlarge") ?? image;
      const svg = set(document.createElementNS(SVG, "svg"), {
        width: image.getAttribute("width") ?? width, viewBox: `0 0 ${width} ${height}`, class: `live ${scene} fresh`, role: "group", "aria-label": name,
      });
      const buttons = [...root.querySelectorAll("button")];
      build({ root, svg, values, says: root.querySelector("output"), buttons });
      for (const button of buttons) button.disabled = false;
      picture.classList.add("live-rest");
      picture.before(svg);
    }
  }

  /* Something to hold. start(x, y) has the place where it is touched, in units of the drawing, move(dx, dy, begun) how far
     it was dragged, and what start returned; step(x, y) answers to keys, in steps to the right and up. A finger that moves
     up or down moves the page only where the thing pans, as those must that take up much of a screen. */
  function handle(group, attributes, { start, move, step, pans = false }) {
    set(group, { role: "slider", tabindex: 0, ...attributes });
    const svg = group.ownerSVGElement, touched = () => svg.classList.remove("fresh");
    const at = (event) => {
      const box = svg.getBoundingClientRect(), unit = box.width / svg.viewBox.baseVal.width;
      return [(event.clientX - box.x) / unit, (event.clientY - box.y) / unit];
    };
    let held = null;
    if (!pans) group.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false }); // the page stays where it is
    group.addEventListener("pointerdown", (event) => {
      const [x, y] = at(event);
      held = { x, y, begun: start(x, y) };
      group.setPointerCapture(event.pointerId);
      group.focus({ preventScroll: true });
      touched();
      event.preventDefault();
    });
    group.addEventListener("pointermove", (event) => {
      const [x, y] = at(event);
      if (held) move(x - held.x, y - held.y, held.begun);
    });
    for (const end of ["pointerup", "pointercancel"]) group.addEventListener(end, () => { held = null; });
    group.addEventListener("keydown", (event) => {
      const way = {
        ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0],
        PageUp: [0, REACH], PageDown: [0, -REACH], Home: [0, -Infinity], End: [0, Infinity],
      }[event.key];
      if (!way) return;
      event.preventDefault();
      touched();
      step(...way);
    });
  }

  /* Something round to hold, at the place where it is put. */
  function knob(svg, attributes, actions) {
    const group = draw(svg, "g", { class: "knob" });
    const rings = ["halo", "tip", "grasp"].map((name) => draw(group, "circle", { class: name, r: { halo: 17, tip: 8, grasp: 22 }[name] }));
    handle(group, attributes, actions);
    return { group, put: (cx, cy) => rings.forEach((ring) => set(ring, { cx, cy })) };
  }

  /* The hand invites to the first touch; its arrow is turned from up and down. A grip is a smaller one, which stays. */
  function hand(parent, x, y, turned = 0, kind = "hand", size = 1) {
    const group = draw(parent, "g", { class: kind, transform: `translate(${x} ${y}) scale(${size})`, "aria-hidden": true });
    draw(group, "circle", { r: 13 });
    draw(group, "path", { d: "M0-8V8M-4-4 0-8 4-4M-4 4 0 8 4 4", transform: `rotate(${turned})` });
    return group;
  }
  const grip = (parent, x, y) => hand(parent, x, y, 0, "grip", 0.7);

  /* Words of the text that set a picture: move gets what it was told of their state, and has the picture in sight. */
  function words(svg, states, move) {
    for (const [name, state] of Object.entries(states))
      for (const span of document.querySelectorAll(`.moves-${name}`)) {
        set(span, { role: "button", tabindex: 0 });
        const go = (event) => {
          if (event.key && event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          svg.classList.remove("fresh");
          svg.scrollIntoView({ block: "nearest" });
          move(state);
        };
        for (const kind of ["click", "keydown"]) span.addEventListener(kind, go);
      }
  }

  /* A stack of dilated convolutions above its inputs, the newest on the right: at which lags the nodes of each level stand,
     the inputs first, where that is, and a box below each input. */
  function stack(dilations, taps, [width, top, foot]) {
    const inputs = 1 + dilations.reduce((total, dilation, l) => total + (taps[l] - 1) * dilation, 0), pitch = (width - 36) / inputs;
    const lags = [[0]], x = (lag) => 18 + pitch * (inputs - lag - 0.5);
    for (let l = dilations.length - 1; l >= 0; l--)
      lags.unshift([...new Set(lags[0].flatMap((lag) => [...Array(taps[l]).keys()].map((t) => lag + t * dilations[l])))]);
    const boxes = [...Array(inputs).keys()].map((position) => ({ x: x(inputs - 1 - position) - 0.36 * pitch, width: 0.72 * pitch }));
    return { inputs, lags, x, y: (level) => foot - (level * (foot - top)) / dilations.length, boxes };
  }

  /* Jars of what is free, each filled to its capacity, for who hears the page one picture with all numbers. */
  function jars(svg, boxes, top, bottom) {
    const group = draw(svg, "g", { role: "img" });
    const drawn = boxes.map((box) => {
      draw(group, "rect", { class: "free", ...box, y: top, height: bottom - top });
      const full = draw(group, "rect", { class: "capacity", ...box });
      return { full, number: draw(group, "text", { x: box.x + box.width / 2, y: bottom + 17 }) };
    });
    return {
      group,
      fill(capacities, numbers, says) {
        capacities.forEach((capacity, index) => {
          const height = (bottom - top) * capacity;
          set(drawn[index].full, { y: bottom - height, height });
          if (numbers) drawn[index].number.textContent = capacity.toFixed(2);
        });
        group.setAttribute("aria-label", says(capacities.map((capacity) => capacity.toFixed(2)).join(", ")));
      },
    };
  }

  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  const signed = (value) => value.toFixed(2).replace(/^-(0\.00)$/, "$1").replace("-", "−");
  return { stages, draw, set, handle, knob, hand, grip, words, stack, jars, clamp, signed };
})();
