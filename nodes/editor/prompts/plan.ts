/** The plan of a table of prompts: parses the reply of the runtime. */
import { countOf, type Fields, listWith, numberOf, oneOf, shapeOf, textOf } from '@herald-speech/browser';

/** The states of rows in the order of the filter. A gone file has no row in the table. */
export const STATES = ['new', 'changed', 'unchanged', 'wrong', 'gone'] as const;
export type State = (typeof STATES)[number];

const fieldsIn = shapeOf({
  /** Absolute path of the folder. */
  folder: textOf,
  /** The first rows of the table, in its order. */
  rows: listWith(rowIn),
  /** Number of all rows. */
  count: countOf,
  counts: shapeOf({ new: countOf, changed: countOf, unchanged: countOf, wrong: countOf }),
  /** Estimated seconds of audio to make. */
  seconds: countOf,
  /** Undefined if the price is unknown. */
  credits: numberOf,
  gone: listWith(goneFile),
  goneCount: countOf,
});

/** Reads the reply of the endpoint `prompts/plan`. */
export function planIn(reply: Fields) {
  const { goneCount: gone, ...plan } = fieldsIn(reply);
  return { ...plan, counts: { ...plan.counts, gone } };
}

export type Plan = ReturnType<typeof planIn>;
export type PlanRow = ReturnType<typeof rowIn>;

function rowIn(value: unknown) {
  const row = shapeOf({
    /** Line or index in the table; undefined for a gone file. */
    number: numberOf,
    text: textOf,
    /** '' if the row has no file name. */
    filename: textOf,
    state: oneOf(STATES),
    /** Undefined for a wrong row and a gone file. */
    seconds: numberOf,
    problems: listWith(textOf),
    /** The values of the row that a sample needs, such as its voice. */
    request: (request) => (typeof request === 'object' && request !== null ? request : undefined),
  })(value);
  const { state = 'wrong', seconds } = row;
  return { ...row, state, seconds: state === 'wrong' ? undefined : seconds };
}

function goneFile(filename: unknown): PlanRow {
  return rowIn({ filename, state: 'gone' });
}
