/**
 * Prints one result in the form that `run.mjs` reads from stdout.
 * @param {import('./run.mjs').Result} result
 */
export function report(result) {
  console.log(JSON.stringify(result));
}

/**
 * Logs progress to stderr; stdout carries results only.
 * @param {string} line
 */
export function log(line) {
  console.error(`  ${line}`);
}

/**
 * @param {readonly number[]} values At least one number.
 * @returns {number} The middle value; of an even count, the upper of the two middle values.
 */
export function median(values) {
  const middle = [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('values is empty: the median needs at least one number');
  return middle;
}

/**
 * @param {() => void} work
 * @returns {number} Milliseconds that `work` takes.
 */
export function timeOf(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}
