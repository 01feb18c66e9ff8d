// Texts of a figure that leave it, or that overlap: a list of faults.
() => {
  const frame = document.documentElement.getBoundingClientRect();
  const texts = [...document.querySelectorAll("g[id^=text_]")].map((group) => {
    const comment = [...group.childNodes].find((node) => node.nodeType === Node.COMMENT_NODE);
    return { box: group.getBoundingClientRect(), text: comment?.data.trim() ?? "" };
  }).filter(({ box }) => box.width > 0);
  const common = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
  const overlap = (a, b) => common(a.box, b.box, "left", "right") > 1 && common(a.box, b.box, "top", "bottom") > 1;
  const outside = ({ box }) => Math.min(box.left - frame.left, box.top - frame.top, frame.right - box.right, frame.bottom - box.bottom) < -0.5;
  return [
    ...texts.filter(outside).map(({ text }) => `cut off: ${text}`),
    ...texts.flatMap((a, i) => texts.slice(0, i).filter((b) => overlap(a, b)).map((b) => `overlap: ${a.text} and ${b.text}`)),
  ];
}
