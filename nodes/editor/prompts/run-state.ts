/** The run of a deployed node: parses the reply of the runtime. */
import { type Fields, fieldsOf, numberOf, textOf } from '@herald-speech/browser';

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
export function runStateIn(reply: Fields): RunState | undefined {
  const fields = fieldsOf(reply['state']);
  if (Object.keys(fields).length === 0) return undefined;
  const phase = fields['phase'];
  return {
    phase: phase === 'running' || phase === 'paused' ? phase : 'idle',
    done: numberOf(fields['done']) ?? 0,
    count: numberOf(fields['count']) ?? 0,
    secondsLeft: numberOf(fields['secondsLeft']),
    report: reportIn(fieldsOf(fields['report'])),
    failure: textOf(fields['error']),
  };
}

function reportIn(fields: Fields): Report | undefined {
  const number = (name: keyof Report) => numberOf(fields[name]) ?? 0;
  if (Object.keys(fields).length === 0) return undefined;
  return {
    made: number('made'),
    cached: number('cached'),
    unchanged: number('unchanged'),
    failed: number('failed'),
    wrong: number('wrong'),
  };
}
