"""Names that the code of a cell uses and that another cell defines, whose code a page may show elsewhere."""

import ast

__all__ = ["defined_elsewhere"]

_OF_THEIR_OWN = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)  # names that none else sees


def defined_elsewhere(cells):
    """Return for each cell which names it uses that were defined last where the code is shown at another place.

    >>> defined_elsewhere([("a = b = 1", "check"), ("b = 2", None), ("print(a, b, [c for c in a])", None)])
    [{}, {}, {'a': 'check'}]
    """
    made, found = {}, []
    for code, anchor in cells:
        try:
            tree = ast.parse(code)
        except SyntaxError:  # a command of the notebook
            tree = ast.parse("")
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        used = sorted({node.id for node in names} - own)
        found.append({name: made[name] for name in used if made.get(name)})
        made |= dict.fromkeys(_defined(tree), anchor)
    return found


def _defined(node):
    """Return the names that code defines for the cells after it."""
    if isinstance(node, _OF_THEIR_OWN):
        return set()
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Store) else set()
    return set().union(*map(_defined, ast.iter_child_nodes(node)))
