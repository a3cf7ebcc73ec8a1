'use strict';
/**
 * The output of `npm test`: dots, with the option `titles` the title of each test. At the end the failures, the ten files
 * with the longest tests, and a line with the counts.
 */
const path = require('node:path');
const { Base, Dot, Spec } = require('mocha').reporters;

/**
 * @param {import('mocha').Runner} runner
 * @param {import('mocha').MochaOptions & { reporterOptions?: Record<string, unknown> }} options
 */
function Summary(runner, options) {
  const times = timesOf(runner);
  // A run that is stopped early still names its failures.
  runner.on('fail', (test, { stack, message }) =>
    console.log(`\n  ${test.fullTitle()}:\n  ${stack ?? message}`),
  );
  const Shown = options.reporterOptions?.['titles'] === undefined ? Dot : Spec;
  class Summarized extends Shown {
    /** @override */
    epilogue() {
      Base.list(this.failures);
      console.log(`\nSlowest files, in seconds of their tests and hooks:\n${slowest(times).join('\n')}\n`);
      console.log(`${this.stats.passes} passed, ${this.stats.failures} failed`);
    }
  }
  return new Summarized(runner, options);
}

/**
 * @param {import('mocha').Runner} runner
 * @returns {Map<string, number>} milliseconds of each test file, while the run goes on
 */
function timesOf(runner) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const event of ['test end', 'hook end'])
    runner.on(event, ({ file, duration = 0 }) => {
      if (file) times.set(file, (times.get(file) ?? 0) + duration);
    });
  return times;
}

/** @param {ReadonlyMap<string, number>} times */
function slowest(times) {
  const ten = [...times].sort(([, one], [, other]) => other - one).slice(0, 10);
  return ten.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)}  ${path.relative('', file)}`);
}

module.exports = Summary;
