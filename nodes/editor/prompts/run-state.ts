/** The run of a deployed node: parses the reply of the runtime. */
import { countOf, type Fields, fieldsOf, numberOf, oneOf, shapeOf, textOf } from '@herald-speech/browser';

const stateIn = shapeOf({
  /** Undefined between two runs. */
  phase: oneOf(['running', 'paused'] as const),
  done: countOf,
  count: countOf,
  /** Estimated seconds until the end. */
  secondsLeft: numberOf,
  /** The figures of a run that has ended: numbers of rows. */
  report: shapeOf({
    made: countOf,
    cached: countOf,
    unchanged: countOf,
    failed: countOf,
    wrong: countOf,
  }),
  /** The reason of a run that failed as a whole; '' without one. */
  error: textOf,
});

export type RunState = ReturnType<typeof stateIn>;

/** Returns the state in the reply of an endpoint of runs; undefined if the node is not deployed. */
export const runStateIn = ({ state }: Fields): RunState | undefined =>
  Object.keys(fieldsOf(state)).length === 0 ? undefined : stateIn(state);
