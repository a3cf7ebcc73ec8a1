/** Describes plans and runs in the language of the editor. */
import { numeral } from '../lib/languages.js';
import type { Plan, State } from './plan.js';
import type { RunState } from './run-state.js';

type Translator = Pick<EditorNode, '_'>;

/** The limit above which a time is shown in minutes, in seconds. */
const SECONDS_LIMIT = 120;

const STATE_NAMES: Readonly<Record<State | 'all', string>> = {
  all: 'prompts.states.all',
  new: 'prompts.states.new',
  changed: 'prompts.states.changed',
  unchanged: 'prompts.states.unchanged',
  wrong: 'prompts.states.wrong',
  gone: 'prompts.states.gone',
};

/** Returns the name of a state. */
export const stateName = (state: State | 'all', node: Translator): string => node._(STATE_NAMES[state]);

/** Returns a time such as `45 seconds` or `14 minutes`. */
function timeText(seconds: number): string {
  const isShort = seconds < SECONDS_LIMIT;
  const value = isShort ? Math.ceil(seconds) : Math.round(seconds / 60);
  const unit = isShort ? 'second' : 'minute';
  return value.toLocaleString(RED.i18n.lang(), { style: 'unit', unit, unitDisplay: 'long' });
}

/** Returns the row count, the time and the credits of a plan, and a hint if the list is incomplete. */
export function planText(plan: Plan, node: Translator): string {
  const { count, counts, seconds, credits, rows } = plan;
  const isDone = count > 0 && counts.unchanged === count;
  const isToMake = counts.new + counts.changed > 0;
  return [
    node._('prompts.summary', { count: numeral(count) }),
    isToMake ? node._('prompts.audio', { time: timeText(seconds) }) : '',
    credits === undefined || !isToMake ? '' : node._('prompts.credits', { credits: numeral(credits) }),
    isDone ? node._('prompts.unchanged') : '',
    counts.gone > 0 ? node._('prompts.gone', { count: numeral(counts.gone) }) : '',
    rows.length < count ? node._('prompts.part', { max: numeral(rows.length), count: numeral(count) }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns the progress of a run that has not ended. */
export function progressText({ phase, done, count, secondsLeft }: RunState, node: Translator): string {
  const made = node._('prompts.running', { done: numeral(done), count: numeral(count) });
  if (phase === 'paused') return node._('prompts.paused', { progress: made });
  if (secondsLeft === undefined) return made;
  return `${made}, ${node._('prompts.left', { time: timeText(secondsLeft) })}`;
}

/** Returns the result of a run that has ended. `error` is the reason if the whole run failed. */
export function runResultText({ report, error }: RunState, node: Translator): string {
  if (error !== '') return node._('prompts.failed', { problem: error });
  const figures = Object.entries(report).map(([name, count]) => [name, numeral(count)]);
  return node._('prompts.ended', Object.fromEntries(figures));
}
