/* Capacity of a stack of dilated convolutions with one input and one output, at given weights and for white inputs: the
   arithmetic of the living budget. weights[l][o][t][i] is the tap t of layer l from its channel i to its channel o, read
   t * dilations[l] steps back. The tests in a browser compare it with the package. */
const budgetKernel = (() => {
  const sum = (signals) => signals.reduce((total, signal) => {
    signal.forEach((value, lag) => { total[lag] = (total[lag] ?? 0) + value; });
    return total;
  }, []);
  const times = (factor, signal, later = 0) => [...Array(later).fill(0), ...signal.map((value) => factor * value)];
  const convolved = (a, b) => {
    const found = Array(a.length + b.length - 1).fill(0);
    a.forEach((x, i) => { if (x) b.forEach((y, j) => { found[i + j] += x * y; }); });
    return found;
  };
  const dot = (a, b) => a.reduce((total, value, index) => total + value * b[index], 0);
  const range = (count) => [...Array(count).keys()];

  /* The derivatives of the coefficients, oldest first, by the weights of each layer: what lies above a weight, times what
     lies below it, by lag. */
  function jacobian(dilations, weights) {
    const below = [[[1]]], above = [[[1]]];
    weights.forEach((layer, l) => below.push(layer.map((taps) =>
      sum(taps.flatMap((row, t) => row.map((weight, i) => times(weight, below[l][i], t * dilations[l])))))));
    for (let l = weights.length - 1; l > 0; l--)
      above.unshift(range(weights[l][0][0].length).map((i) =>
        sum(weights[l].flatMap((taps, o) => taps.map((row, t) => times(row[i], above[0][o], t * dilations[l]))))));
    const inputs = 1 + weights.reduce((total, layer, l) => total + (layer[0].length - 1) * dilations[l], 0);
    return weights.map((layer, l) => layer.flatMap((taps, o) => taps.flatMap((row, t) => row.map((_, i) => {
      const column = times(1, convolved(above[l][o], below[l][i]), t * dilations[l]);
      return range(inputs).map((position) => column[inputs - 1 - position] ?? 0);
    }))));
  }

  /* An orthonormal basis by Gram-Schmidt, the longest of what is left first. Each layer is taken in units of its own, as
     weight can move between layers; what is left is zero below the package's tolerance of a rank. */
  function basis(layers) {
    const largest = layers.map((columns) => Math.max(...columns.flat().map(Math.abs)));
    const tolerance = Number.EPSILON * Math.max(layers[0][0].length, layers.flat().length);
    const rest = layers.flatMap((columns, l) =>
      largest[l] > tolerance * Math.max(...largest) ? columns.map((column) => times(1 / largest[l], column)) : []);
    const found = [];
    const most = Math.min(rest.length, rest[0]?.length ?? 0); // not more than there are: what is left then is rounding
    for (let first; found.length < most;) {
      const squares = rest.map((column) => dot(column, column)), longest = squares.indexOf(Math.max(...squares));
      const length = Math.sqrt(squares[longest]);
      first ??= length;
      if (length <= tolerance * first) break;
      let next = times(1 / length, rest[longest]);
      for (const known of found) next = sum([next, times(-dot(known, next), known)]); // once more, against rounding
      next = times(1 / Math.sqrt(dot(next, next)), next);
      found.push(next);
      rest.forEach((column, index) => { rest[index] = sum([column, times(-dot(next, column), next)]); });
    }
    return found;
  }

  /* What constraints, given in groups, spend on each input and in all. */
  function spent(groups) {
    const found = basis(groups);
    const capacities = groups[0][0].map((_, position) => sum(found.map((row) => [row[position] ** 2]))[0] ?? 0);
    return { capacities, total: found.length, basis: found };
  }

  return Object.assign((dilations, weights) => spent(jacobian(dilations, weights)), { spent });
})();
