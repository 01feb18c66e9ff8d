"""Decisions: what is advised follows from the losses, and every number that is said is one of theirs."""

import re
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from capacity_inspection.reports.decisions import by_reach, by_reach_of_series, percent, plural
from capacity_inspection.reports.reaches import Reaches


class Losses(SimpleNamespace):
    """Losses of new fits by look-back, those of cuts, and what is advised."""

    def __getitem__(self, lags):
        return self.fitted[lags]


def losses(advised, own=8, as_is=0.2):
    fitted = {0: 0.5, 1: 0.5, 4: 0.25, 8: 0.2, 16: 0.1}
    cut = {1: 1.5, 4: 0.5} | {own: as_is}
    known = {"decided": True, "error": 0.01, "held_out": np.array(list(fitted.values()))}
    return Losses(own=own, advised=advised, fitted=fitted, cut=cut, shorter=4, lags=np.array(list(fitted)), **known)


def numbers(sentences):
    return [float(each) for each in re.findall(r"\d+(?:\.\d+)?", " ".join(sentences))]


@pytest.mark.parametrize(
    ("advised", "words", "said"),
    [
        (4, "a shorter one will do", [4, 25, 150, 4]),  # .25 is 25 % more than .2, and .5 150 % more
        (16, "make it longer", [16, 50, 16]),
        (8, "its length is right", [4, 25, 16]),
    ],
)
def test_a_trained_network_is_told_what_its_losses_say(advised, words, said):
    sentences, totals = by_reach(losses(advised))
    assert words in sentences[1]
    assert numbers(sentences) == said
    assert totals["loss"].value == 0.2
    assert totals["look-back"].value == advised
    assert totals["loss at the look-back"].value == losses(advised)[advised]
    assert ("loss, cut" in totals) == (advised < 8)


@pytest.mark.parametrize(("said", "before"), [(by_reach, []), (partial(by_reach_of_series, whose="Series"), [8, 20])])
@pytest.mark.parametrize(("advised", "beside"), [(4, [4, 150, 20]), (16, [8, 100, 20])])
def test_errors_that_do_not_decide_are_told_and_no_length_is_advised(said, before, advised, beside):
    found = losses(advised)
    found.decided = False
    sentences, _ = said(found)
    assert "no other length is advised" in sentences[1]
    assert numbers(sentences) == before + beside  # the loss at the shorter length beside .1, give or take twice .01


@pytest.mark.parametrize(
    ("own", "error", "advised", "decided"),
    [(8, 0.001, 4, True), (8, 0.1, 2, False), (2, 0.02, 4, True), (2, 0.03, 4, False)],
)
def test_advice_is_decided_by_two_standard_errors(own, error, advised, decided):
    reaches = Reaches(own, np.array([2, 4, 8]), np.array([0.15, 0.1005, 0.1]), np.array([error, 0.001, 0.0]))
    assert (reaches.advised, reaches.decided) == (advised, decided)


def test_a_network_that_does_not_predict_is_given_no_advice():
    sentences, totals = by_reach(losses(4, as_is=1.0))
    assert numbers(sentences) == [100]
    assert {name: each.value for name, each in totals.items()} == {"loss": 1.0}


@pytest.mark.parametrize(
    ("advised", "words", "said"),
    [
        (4, "a shorter one will do", [8, 20, 25, 4, 4]),
        (16, "make it longer", [8, 20, 50, 16, 16]),
        (8, "its length is right", [8, 20, 16]),
        (0, "no length pays", [8, 20, 150, 0]),
    ],
)
def test_a_network_without_weights_is_told_what_there_is_to_see(advised, words, said):
    sentences, totals = by_reach_of_series(losses(advised), "Series")
    assert words in sentences[1]
    assert numbers(sentences) == said
    assert (totals["left"].value, totals["left at the look-back"].value) == (0.2, losses(advised)[advised])


def test_one_step_is_no_steps():
    assert by_reach(losses(1, own=1))[0][0] == "It uses the one step that it sees."
    assert (plural(0, "lag"), plural(1, "lag")) == ("0 lags", "1 lag")


def test_shares_have_two_digits_and_a_mark():
    assert [percent(share) for share in (0.0, 0.01234, 0.996, 1.5)] == ["~0 %", "~1.2 %", "~100 %", "~150 %"]
