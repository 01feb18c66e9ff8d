"""Folding: the code behind claims and figures starts out folded, other code does not."""

from small_site import page


def test_the_code_of_claims_and_figures_is_folded_and_other_code_is_not(html):
    cells = page(html, "linear/one").select("div.cell")
    prompts = [cell.select_one("details.hide > summary > p") for cell in cells]
    assert [prompt and prompt.text for prompt in prompts] == [
        "Show the code of this figure",
        "Show the code of this figure",
        "Show the code of these claims",
        None,
    ]
