/** Processor time and memory of a process with all its descendants, on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** @param {string} file @returns {string} '' if the process has ended */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @param {number} pid @returns {number[]} */
function treeOf(pid) {
  let tasks;
  try {
    tasks = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const children = tasks.flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
}

/**
 * @param {number} pid
 * @returns {number} seconds of all processes that run, and of their ended children
 */
export function cpuSeconds(pid) {
  const ticks = treeOf(pid).map((one) => {
    const fields = read(`/proc/${one}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}

/** @param {number} pid @returns {number} megabytes: the proportional set, in which shared pages count once */
function memoryOf(pid) {
  const kilobytes = treeOf(pid).map((one) =>
    Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${one}/smaps_rollup`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

/** Milliseconds between two looks at the memory. */
const LOOK = 50;

/**
 * @template Result
 * @param {number} pid
 * @param {() => Promise<Result>} work
 * @returns {Promise<{ result: Result, peak: number }>} the largest memory while the work lasts, in megabytes
 */
export async function withPeak(pid, work) {
  let peak = memoryOf(pid);
  const timer = setInterval(() => (peak = Math.max(peak, memoryOf(pid))), LOOK);
  try {
    return { result: await work(), peak };
  } finally {
    clearInterval(timer);
  }
}
