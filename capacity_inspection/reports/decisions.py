"""What a report says: how far a network can see, how far it does look, and what to do; a sentence each."""

from capacity_inspection.reports.quantity import Quantity

__all__ = ["NO_DATA", "WORTH", "by_reach", "by_reach_of_series", "percent", "plural"]

NO_DATA = "How far it should look depends on the data: pass some (--data FILE)."
WORTH = 0.01  # share of an error that a decision is worth
_RANDOM_GUESS = 1.0  # share of the variance that the mean leaves, too
_LATER = "squared error of the next value, on the later half of the series"


def plural(count, what):
    """A number of things.

    Examples
    --------
    >>> plural(1, "step"), plural(2, "step")
    ('1 step', '2 steps')
    """
    return f"{count} {what}{'s' * (count != 1)}"


def percent(share):
    """A share for people."""
    return f"~{100 * share:.2g} %" if abs(share) < 0.995 else f"~{100 * share:.0f} %"


def _more(error, than):
    return percent(max(error / than - 1, 0.0))


def _undecided(reaches):
    """A sentence where the errors of what lengths lose do not decide between them, and what would."""
    shorter, best = min(reaches.advised, reaches.own), reaches.held_out.min()
    error = percent(2 * reaches.error / best)
    return (
        f"From {plural(shorter, 'step')} the loss is {_more(reaches[shorter], best)} above the best, give or take "
        f"{error} ({_LATER}), which decides nothing.",
        "So no other length is advised: a longer series would tell.",
    )


def by_reach(reaches):
    """Sentences on a trained network: how far it looks, and what to do; and the numbers that they rest on."""
    own, advised = reaches.own, reaches.advised
    as_is = reaches.cut[own]
    if as_is >= _RANDOM_GUESS:
        looks = (
            f"As it stands it does not predict the next value of this series: its squared error is {percent(as_is)} of "
            "the variance."
        )
        todo = "What a shorter or longer one would lose cannot be said: pass the series it was trained on, in its unit."
        return (looks, todo), {"loss": Quantity(as_is, "numerical", f"share of the variance; {_LATER}")}
    totals = {
        "loss": Quantity(reaches[own], "numerical", f"share of the variance, its last layer fitted anew; {_LATER}"),
        "look-back": Quantity(advised, "numerical", "the shortest within one standard error, or 1 %, of the best"),
        "loss at the look-back": Quantity(reaches[advised], "numerical", "fitted anew in the same way"),
        "loss as it is": Quantity(as_is, "numerical", "the trained network itself"),
    }
    if not reaches.decided:
        return _undecided(reaches), totals
    if advised < own:
        totals["loss, cut"] = Quantity(reaches.cut[advised], "numerical", "as it is, where it sees the look-back only")
        looks = (
            f"It need not look that far: from the last {plural(advised, 'step')} a new fit of its last layer loses "
            f"{_more(reaches[advised], reaches[own])} more ({_LATER}); merely cut there, it loses "
            f"{_more(reaches.cut[advised], as_is)} more."
        )
        return (looks, f"So a shorter one will do, of about {plural(advised, 'step')}: train it anew."), totals
    if advised > own:
        looks = (
            f"It sees too little: linear prediction from {plural(advised, 'step')} beside it takes "
            f"{percent(1 - reaches[advised] / reaches[own])} off its loss ({_LATER})."
        )
        return (looks, f"So make it longer, of {plural(advised, 'step')} or more, and train it anew."), totals
    looks = "It uses the one step that it sees."
    if own > 1:
        shorter = reaches.shorter
        looks = (
            f"It uses what it sees: from {plural(shorter, 'step')} a new fit of its last layer loses "
            f"{_more(reaches[shorter], reaches[own])} more ({_LATER})."
        )
    return (
        looks,
        f"So its length is right: no other of up to {plural(int(reaches.lags[-1]), 'step')} does clearly better.",
    ), totals


def by_reach_of_series(reaches, whose):
    """Sentences on what there is to see for a network that is not trained on a series, and what to do."""
    own, advised = reaches.own, reaches.advised
    looks = f"{whose}: from its {plural(own, 'step')} linear prediction leaves {percent(reaches[own])} of the variance"
    if not reaches.decided:
        sentence, todo = _undecided(reaches)
        looks += f". {sentence}"
    elif advised > own:
        looks += f", and {percent(1 - reaches[advised] / reaches[own])} less of that from {advised} ({_LATER})."
        todo = f"So make it longer, of {plural(advised, 'step')} or more."
    elif advised < own:
        looks += f", and {_more(reaches[advised], reaches[own])} more of that from {advised} ({_LATER})."
        todo = f"So a shorter one will do, of about {plural(advised, 'step')}."
        if not advised:
            todo = "So no length pays: linear prediction needs nothing of the past."
    else:
        looks += f" ({_LATER})."
        todo = f"So its length is right: no other of up to {plural(int(reaches.lags[-1]), 'step')} leaves clearly less."
    note = f"share of the variance that linear prediction leaves; {_LATER}"
    totals = {
        "look-back": Quantity(advised, "numerical", "the shortest within one standard error, or 1 %, of the best"),
        "left": Quantity(reaches[own], "numerical", note),
        "left at the look-back": Quantity(reaches[advised], "numerical", note),
    }
    return (looks, todo), totals
