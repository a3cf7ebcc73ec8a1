import process from 'node:process';

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

/** Rounds before the first measured one. */
const WARM_UP = 3;

/**
 * Measures the processor time of this process, all threads, while each variant works. The rounds of all variants alternate.
 * @template {string} Name
 * @param {Record<Name, () => Promise<unknown>>} variants
 * @param {number} rounds
 * @param {number} calls The calls of one round of a variant.
 * @returns {Promise<Record<Name, number[]>>} Microseconds per call, one value per round.
 */
export async function processorTimes(variants, rounds, calls) {
  /** @type {[Name, () => Promise<unknown>, number[]][]} */
  const measured = [];
  for (const name in variants) measured.push([name, variants[name], []]);
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [, work, times] of measured) {
      const start = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) times.push((user + system) / calls);
    }
  }
  return /** @type {Record<Name, number[]>} */ (
    Object.fromEntries(measured.map(([name, , times]) => [name, times]))
  );
}
