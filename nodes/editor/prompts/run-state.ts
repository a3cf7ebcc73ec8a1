/** The run of a deployed node: parses the reply of the runtime. */
import type { Reply } from '../runtime.js';
import { fieldsOf, numberOf, textOf } from '../text.js';

/** Numbers of rows. */
type Report = Readonly<Record<'made' | 'cached' | 'unchanged' | 'failed' | 'wrong', number>>;

export interface RunState {
  phase: 'idle' | 'running' | 'paused';
  done: number;
  count: number;
  /** Estimated seconds until the end. */
  secondsLeft: number | undefined;
  /** The figures of a run that has ended. */
  report: Report | undefined;
  /** The reason of a run that failed as a whole; '' without one. */
  failure: string;
}

/** Returns the state in the reply of an endpoint of runs; undefined if the node is not deployed. */
export function runStateIn(reply: Reply): RunState | undefined {
  const fields = fieldsOf(reply.get('state'));
  if (fields.size === 0) return undefined;
  const phase = fields.get('phase');
  return {
    phase: phase === 'running' || phase === 'paused' ? phase : 'idle',
    done: numberOf(fields.get('done')) ?? 0,
    count: numberOf(fields.get('count')) ?? 0,
    secondsLeft: numberOf(fields.get('secondsLeft')),
    report: reportIn(fieldsOf(fields.get('report'))),
    failure: textOf(fields.get('error')),
  };
}

function reportIn(fields: Reply): Report | undefined {
  const number = (name: keyof Report) => numberOf(fields.get(name)) ?? 0;
  if (fields.size === 0) return undefined;
  return {
    made: number('made'),
    cached: number('cached'),
    unchanged: number('unchanged'),
    failed: number('failed'),
    wrong: number('wrong'),
  };
}
