/** Penalties to choose from: small for exact data, large for noisy data. */
const PENALTIES = [0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000];

/**
 * Ridge regression without intercept. Chooses the penalty with the smallest error for a row that is left out
 * (Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 7.10).
 * @param rows features of each sample
 * @param values measured value of each sample
 * @returns the weight of each feature
 */
export function bestRidge(rows: readonly number[][], values: readonly number[]): number[] {
  const kernel = rows.map((row) => rows.map((other) => dot(row, other)));
  let best: number[] = [];
  let smallest = Infinity;
  for (const penalty of PENALTIES) {
    const inverse = inverted(
      kernel.map((row, at) => row.map((value, to) => (at === to ? value + penalty : value))),
    );
    const duals = inverse.map((row) => dot(row, values));
    const errors = duals.map((dual, at) => dual / (inverse[at]?.[at] ?? 1));
    const error = dot(errors, errors);
    if (error < smallest) [best, smallest] = [duals, error];
  }
  return (rows[0] ?? []).map((_, feature) =>
    rows.reduce((sum, row, at) => sum + (row[feature] ?? 0) * (best[at] ?? 0), 0),
  );
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

/** Inverts a symmetric, positive definite matrix (Gauss and Jordan; such a matrix needs no pivoting). */
function inverted(matrix: readonly number[][]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, at) => [...row, ...row.map((_, to) => (at === to ? 1 : 0))]);
  rows.forEach((pivot, at) => {
    const head = pivot[at] ?? 1;
    pivot.forEach((value, to) => (pivot[to] = value / head));
    rows.forEach((row, other) => {
      const factor = row[at] ?? 0;
      if (other === at || factor === 0) return;
      row.forEach((value, to) => (row[to] = value - factor * (pivot[to] ?? 0)));
    });
  });
  return rows.map((row) => row.slice(size));
}
