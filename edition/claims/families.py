"""For which values of a chapter's parameters a claim is stated: for all, for a family, or for those of the paper.

A definition and an identity hold for all values, unless a line says otherwise, and where one does not come out,
something is wrong. What a figure shows, or what was found, is stated for the values at which it is on record; elsewhere
it may come out differently, and nothing is wrong. A family is a condition on the parameters, such as ``n_layers >= 5``.
"""

import ast

__all__ = ["ALL", "RECORDED", "applies", "family_of"]

ALL, RECORDED = "all values", "the paper's values"
FOR_ALL = {"definition", "identity"}  # kinds of claims


def family_of(claim):
    """Return for which values a claim is stated, in words."""
    return claim.family or (ALL if claim.kind in FOR_ALL else RECORDED)


def applies(claim, defaults, values):
    """Return whether a claim is stated for `values` of parameters, of which the chapter has `defaults`."""
    family = family_of(claim)
    if family in (ALL, RECORDED):
        return family == ALL or all(defaults.get(name) == value for name, value in values.items())
    try:
        return bool(eval(compile(ast.parse(family, mode="eval"), claim.id, "eval"), {}, defaults | values))
    except (SyntaxError, NameError, TypeError) as error:
        wanted = f"{ALL!r}, {RECORDED!r} or a condition on parameters"
        raise ValueError(f"{claim.id}: expected {wanted} after 'For:', got {family!r} ({error})") from None
