"""Figures of the chapter intro."""

from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

from capacity.figures import COLORS, SHADES, plot_budget
from capacity_studies.figures.strokes import canvas, jar

__all__ = ["network_with_jars", "overview", "seen_and_spent"]


def network_with_jars(model, parameters, allocation):
    """A stack of one channel, each line as thick as its weight and dashed where that is negative, and a jar for each
    input, as full as its capacity; places are those of ``edition/static/budget.js``.
    """
    width, height, top, foot, rim, bottom = 441.6, 288, 16, 160, 176, 248
    n, layers = len(allocation), len(model.dilations)
    pitch = (width - 36) / n
    ax = canvas(width, height)

    def place(lag, level):
        return 18 + pitch * (n - lag - 0.5), foot - level * (foot - top) / layers

    lags = [0]
    for level in range(layers, -1, -1):
        for x, y in (place(lag, level) for lag in lags):
            ax.plot(x, y, "o", color=COLORS["model"], markersize=7)
        if level:
            backs = [tap * model.dilations[level - 1] for tap in range(model.taps[level - 1])]
            for back, weight in zip(backs, model.filters(parameters)[level - 1].ravel()):
                for lag in lags:
                    ends = zip(place(lag, level), place(lag + back, level - 1))
                    ax.plot(*ends, "-" if weight > 0 else "--", color=COLORS["model"], linewidth=6.75 * abs(weight))
            lags = [lag + back for lag in lags for back in backs]
    for position, capacity in enumerate(allocation):
        left = 18 + pitch * (position + 0.14)
        jar(ax, left, rim, 0.72 * pitch, bottom - rim, up=capacity)
        ax.text(left + 0.36 * pitch, bottom + 17, f"{capacity:.2f}", ha="center", fontsize=10.5)
    for x, side, text in ((18, "left", "oldest input"), (width - 18, "right", "newest")):
        ax.text(x, 283, text, ha=side, fontsize=10.5, color=COLORS["reference"])
    ax.text(18, 20, "capacity", fontsize=10.5, color=COLORS["reference"])
    ax.text(18, 58, f"{round(allocation.sum())} of {n}", fontsize=30, weight="bold", color=COLORS["capacity"])
    return ax.figure


def seen_and_spent(field, centre, side, extent):
    """What a unit spends on the pixels of an image: the square that it could see, which goes beyond the image, and the
    one around the middle that holds half of what it spends.
    """
    fig, ax = plt.subplots(figsize=(4.6, 3.9))
    size, (y, x) = len(field), centre
    ax.imshow(field, cmap=SHADES["capacity"], vmin=0, vmax=field.max(), extent=(-0.5, size - 0.5, size - 0.5, -0.5))
    for length, color, line in ((extent, COLORS["model"], "--"), (side, COLORS["capacity"], "-")):
        corner = (x - length / 2, y - length / 2)
        ax.add_patch(Rectangle(corner, length, length, fill=False, edgecolor=color, linestyle=line, linewidth=1.6))
    ax.add_patch(Rectangle((-0.5, -0.5), size, size, fill=False, edgecolor="#888888", linewidth=1))
    words = {"ha": "center", "va": "bottom"}
    ax.text(x, y - extent / 2 - 4, f"could see {extent} pixels", color=COLORS["model"], **words)
    ax.annotate(
        f"spends half in {side}", (x, y - side / 2), (x, -26), arrowprops={"arrowstyle": "->"}, weight="bold", **words
    )
    ax.text(size / 2, size + 16, f"the image, {size} pixels", color=COLORS["reference"], ha="center", va="center")
    reach = extent / 2 + 22
    ax.set(xlim=(x - reach, x + reach), ylim=(y + reach, y - reach))
    ax.axis("off")
    return fig


def overview(allocation, full):
    """What a model spends on each of the last samples of a signal, the most recent on the right, of which the last ones
    are full.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    n = len(allocation)
    older, spike, newer = allocation[n // 2 - 2 : n // 2 + 1]
    notes = [(n // 2 + 1, f"a spike at lag {n // 2 + 1}")] if spike > max(older, newer) + 0.1 else []
    notes += [(1 + full // 2, f"full: the last {full}")]
    plot_budget(ax, allocation, COLORS["capacity"], notes if full < n else [(n // 2, "full everywhere")])
    return fig
