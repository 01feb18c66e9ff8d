/* Capacity of a stack of dilated convolutions with one input and one output, at given weights, for white inputs or those
   of given autocovariances: the arithmetic of the living budget and of what the explorer has not fitted. weights[l][o][t][i] is the tap t of layer l from its channel i to its channel o, read
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
    const largest = layers.map((columns) => Math.max(...columns.map((column) => Math.max(...column.map(Math.abs)))));
    const count = layers.flat().length, inputs = layers[0][0].length, tolerance = Number.EPSILON * Math.max(inputs, count);
    const rest = layers.flatMap((columns, l) =>
      largest[l] > tolerance * Math.max(...largest) ? columns.map((column) => Float64Array.from(column, (x) => x / largest[l])) : []);
    const project = (from, known) => { // takes out what is along a unit vector, and returns the square of what is left
      let along = 0, square = 0;
      for (let i = 0; i < inputs; i++) along += from[i] * known[i];
      for (let i = 0; i < inputs; i++) square += (from[i] -= along * known[i]) ** 2;
      return square;
    };
    const found = [], squares = rest.map((column) => dot(column, column));
    const most = Math.min(rest.length, inputs); // not more than there are: what is left then is rounding
    for (let first; found.length < most;) {
      const longest = squares.reduce((best, square, index) => (square > squares[best] ? index : best), 0);
      const length = Math.sqrt(squares[longest]);
      first ??= length;
      if (length <= tolerance * first) break;
      const next = rest[longest].map((value) => value / length);
      for (const known of found) project(next, known); // once more, against rounding
      const norm = Math.sqrt(dot(next, next));
      found.push(next.map((value) => value / norm));
      rest.forEach((column, index) => { squares[index] = project(column, found.at(-1)); });
    }
    return found.map((row) => [...row]);
  }

  /* What constraints, given in groups, spend on each input and in all. */
  function spent(groups) {
    const found = basis(groups);
    const capacities = groups[0][0].map((_, position) => sum(found.map((row) => [row[position] ** 2]))[0] ?? 0);
    return { capacities, total: found.length, basis: found };
  }

  /* The products of the columns with the covariance of the inputs, whose entries depend on the distance alone. */
  const covaried = (columns, covariances) => columns.map((column) =>
    column.map((_, a) => column.reduce((total, value, b) => total + value * covariances[Math.abs(a - b)], 0)));

  return Object.assign((dilations, weights, covariances) => {
    const layers = jacobian(dilations, weights);
    return spent(covariances ? layers.map((columns) => covaried(columns, covariances)) : layers);
  }, { spent });
})();
