/** The plan of a table of prompts: parses the reply of the runtime. */
import type { Reply } from '../runtime.js';
import { fieldsOf, numberOf, textOf } from '../text.js';

/** The states of rows in the order of the filter. A gone file has no row in the table. */
export const STATES = ['new', 'changed', 'unchanged', 'wrong', 'gone'] as const;
export type State = (typeof STATES)[number];

export interface PlanRow {
  /** Line or index in the table; undefined for a gone file. */
  number: number | undefined;
  text: string;
  /** '' if the row has no file name. */
  filename: string;
  state: State;
  /** Undefined for a wrong row and a gone file. */
  seconds: number | undefined;
  problems: readonly string[];
  /** The values of the row that a sample needs, such as its voice. */
  request: object | undefined;
}

/** The reply of the endpoint `prompts/plan`. */
export interface Plan {
  /** Absolute path of the folder. */
  folder: string;
  /** The first rows of the table, in its order. */
  rows: readonly PlanRow[];
  /** Number of all rows. */
  count: number;
  counts: Readonly<Record<State, number>>;
  /** Estimated seconds of audio to make. */
  seconds: number;
  /** Undefined if the price is unknown. */
  credits: number | undefined;
  gone: readonly PlanRow[];
}

export function planIn(reply: Reply): Plan {
  const counts = fieldsOf(reply.get('counts'));
  const count = (state: State) =>
    numberOf(state === 'gone' ? reply.get('goneCount') : counts.get(state)) ?? 0;
  return {
    folder: textOf(reply.get('folder')),
    rows: listOf(reply.get('rows')).map(rowIn),
    count: numberOf(reply.get('count')) ?? 0,
    counts: {
      new: count('new'),
      changed: count('changed'),
      unchanged: count('unchanged'),
      wrong: count('wrong'),
      gone: count('gone'),
    },
    seconds: numberOf(reply.get('seconds')) ?? 0,
    credits: numberOf(reply.get('credits')),
    gone: listOf(reply.get('gone')).map((filename) => goneFile(textOf(filename))),
  };
}

function rowIn(value: unknown): PlanRow {
  const fields = fieldsOf(value);
  const state = STATES.find((one) => one === fields.get('state')) ?? 'wrong';
  const request = fields.get('request');
  return {
    number: numberOf(fields.get('number')),
    text: textOf(fields.get('text')),
    filename: textOf(fields.get('filename')),
    state,
    seconds: state === 'wrong' ? undefined : numberOf(fields.get('seconds')),
    problems: listOf(fields.get('problems')).map(textOf),
    request: typeof request === 'object' && request !== null ? request : undefined,
  };
}

const goneFile = (filename: string): PlanRow => ({
  number: undefined,
  text: '',
  filename,
  state: 'gone',
  seconds: undefined,
  problems: [],
  request: undefined,
});

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
