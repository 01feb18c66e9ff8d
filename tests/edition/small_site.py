"""Small books with everything that a page can have: on the screen, and on paper."""

from bs4 import BeautifulSoup

FIGURE = """---
mystnb: {{figure: {{name: {name}, caption: "**A picture** of $x$."}}, image: {{alt: A dot.}}}}
---
from IPython.display import SVG
SVG('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>')"""
SHOWN = "```{figure-shown} linear-fig-5\nOnce more, $x$.\n```\n\n```{figure-shown} linear-fig-99\nOf no chapter.\n```"
OBTAIN = "\n```{obtain}\n```\n"
SLIDER = """---
mystnb: {figure: {name: own-fig, caption: "**A picture** of $x$."}, image: {alt: A dot.}}
---
from capacity_studies import slider
from matplotlib.figure import Figure
slider("its <size>", [1, 2], lambda _: Figure(figsize=(1, 1)), start=2, texts=["one", "two"])"""
EXERCISES = """
```{{exercise}} Of $a$
:label: ex-one

Predict, then see {{ref}}`ex-two`.
```

```{{solution-start}} ex-one
```

Compute it.

{cell}

```{{solution-end}}
```

```{{exercise}}
:label: ex-two

Predict again.
```

```{{solution}} ex-two
As before.
```
"""
ONE = r"""# One

Words on $\E[x]$, {eq}`linear-eq-16`, {eq}`own`, {numref}`linear-fig-5`, {numref}`own-fig`,
{prf:ref}`linear-prop-3`, and [](two.md).

## 3.1 A section

With $\kappa$.

$$ a = b $$ (linear-eq-16)

$$ c = d $$ (own)

```{prf:property} Sums
:label: linear-prop-3

They add up.
```

```{prf:theorem} Ours
:label: linear-own-theorem

See {eq}`own`.
```

"""
CLAIMS = r"""
:::{claims}
- linear/eq-16 (result, holds with a correction): It is $b$
  Here: Twice $b$.
:::

:::{claims}
- linear/fig-5/round (observation): It is round
- linear/prop-3 (identity): Sums $\kappa_{A|B}$ | add up
:::

"""
CHECKS = """from capacity_studies import check
check("linear/fig-5/round", True, True)
check("linear/prop-3", 3, 3)
check("linear/eq-16", 2.0, 2.0, printed=1.0)"""
COVERAGE = """source,section,number,digest,claims,reason
linear,1,1,000000000001,,background
linear,1,2,000000000002,,background
linear,1,3,000000000003,linear/prop-3,
linear,2,1,000000000004,,background
"""
ROBUSTNESS = """{
"a kernel": {"kind": "machine", "claims": 3, "different": {}},
"this kernel": {"kind": "machine", "claims": 0, "different": {}},
"seed 1": {"kind": "seed", "claims": 3, "different": {"linear/prop-3": "measured 4", "linear/former": "measured 1"}},
"seed 2": {"kind": "seed", "claims": 2, "different": {"linear/prop-3": "measured 5"}}
}"""
ERRATA = """# Errata

```{claims-errata} linear
linear/eq-16
```

## Misprints

```{claims-errata} linear
```
"""
RECEIPT = """# How this copy was made

```{build-receipt}
```

(coverage)=
## Coverage

```{claims-coverage} linear
```

(checklists)=
## Checklists

```{fold} Item *by* item
Asked and *answered*.
```
"""
REPOSITORY, PAGES = "https://github.com/someone/somewhere", "https://someone.example/book"
CITING = """See {cite:p}`donier2019capacity` and {cite:t}`donier2019layers`.

Both {cite:p}`donier2019capacity,donier2019layers`."""
TWO = "# Two\n\nAnd {eq}`linear-eq-16` with {eq}`other`.\n\n$$ e = f $$ (other)\n\n```{exercise}\nPredict.\n```\n"
PRINTED_FIGURE = """---
mystnb: {{figure: {{name: {name}, caption: "**A picture** of $x$."}}, image: {{alt: A line.}}}}
---
from matplotlib import pyplot as plt
from capacity.figures import use_style
use_style()
lines = plt.figure(figsize=(2, 1)).subplots().plot([1, 2])
plt.show()"""
PRINTED = r"""# One

Words on $\E[x]$, {eq}`linear-eq-16`, {eq}`own`, {numref}`linear-fig-5`, {prf:ref}`linear-prop-3`, [](two.md) and
[the receipt](../receipt.md).

$$ a = b $$ (linear-eq-16)

$$ c = d $$ (own)

```{prf:property} Sums of $x$
:label: linear-prop-3

They add up.
```

```{prf:proof}
By inspection.
```

"""
PRINTED_CLAIMS = CLAIMS.replace("- linear/fig-5/round (observation): It is round\n", "")
PRINTED_CHECKS = """from capacity_studies import check
check("linear/prop-3", 3, 3)
check("linear/eq-16", 2.0, 2.0, printed=1.0)"""
PRINTED_TOC = """format: jb-book
root: chapters/intro
parts:
  - caption: A part
    chapters: [{file: chapters/linear/one}, {file: chapters/linear/two}]
  - caption: The rest
    chapters:
      - file: chapters/figures
      - file: chapters/claims
      - file: chapters/errata
      - file: chapters/receipt
      - file: chapters/glossary
"""
GLOSSARY = r"""# Glossary

```{glossary}
spin
  What turns.

total spin
spin number
  Half of $n$, *exactly*; see {eq}`linear-eq-16`.
```

```{symbols}
$K$, $K_1$ | a matrix | $n \times n$ | {eq}`linear-eq-16` | linear
$K$ | the number of $\mathcal{S}$ < 3 | integer | {eq}`own`, {prf:ref}`linear-prop-3` | linear/words
$\mathcal{S}$ | a space | any | [](linear/two.md) | linear layers/one
```
"""
WORDS = r"""# Total spin

A spinning `total spin` with [total spin](two.md), $K + 1$ and $K_1$.

The *total spin* is defined here.

After that, total spin is no news, but spin-free spins are.

## Spin

| spin |
|------|
| spin |

- Spin
  numbers of $\mathcal S$ have room for one link.

Total spin and spin: again one, though not the same one.

```{note}
Here $K$ is in a box.
```

```{prf:definition} Of $K$, the spin
:label: linear-words-definition

The matrix $K$ is a matrix.
```

### Deeper

Spin, total spin and $K$, all of which the section has seen.
"""


def page(html, name):
    """Return a page of a site, parsed."""
    return BeautifulSoup((html / "chapters" / f"{name}.html").read_text(), "html.parser")
