/** The plan of a table of prompts: parses the reply of the runtime. */
import { type Fields, fieldsOf, numberOf, textOf, listOf } from '@herald-speech/browser';

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

export function planIn(reply: Fields): Plan {
  const counts = fieldsOf(reply['counts']);
  const count = (state: State) => numberOf(state === 'gone' ? reply['goneCount'] : counts[state]) ?? 0;
  return {
    folder: textOf(reply['folder']),
    rows: listOf(reply['rows']).map(rowIn),
    count: numberOf(reply['count']) ?? 0,
    counts: {
      new: count('new'),
      changed: count('changed'),
      unchanged: count('unchanged'),
      wrong: count('wrong'),
      gone: count('gone'),
    },
    seconds: numberOf(reply['seconds']) ?? 0,
    credits: numberOf(reply['credits']),
    gone: listOf(reply['gone']).map((filename) => goneFile(textOf(filename))),
  };
}

function rowIn(value: unknown): PlanRow {
  const fields = fieldsOf(value);
  const state = STATES.find((one) => one === fields['state']) ?? 'wrong';
  const request = fields['request'];
  return {
    number: numberOf(fields['number']),
    text: textOf(fields['text']),
    filename: textOf(fields['filename']),
    state,
    seconds: state === 'wrong' ? undefined : numberOf(fields['seconds']),
    problems: listOf(fields['problems']).map(textOf),
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
