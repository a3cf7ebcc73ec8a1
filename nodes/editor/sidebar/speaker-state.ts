/** The states of the deployed speakers, as `speakers/states` describes them. */
import { type Fields, fieldsOf, listOf, numberOf, textOf } from '@herald-speech/browser';

export interface ShownSpeaker {
  /** `failed`: the speaker is free, and did not play its last announcement, or its settings are invalid. */
  is: 'idle' | 'failed' | 'waiting' | 'playing';
  /** Milliseconds since 1970 of the end of the last announcement; undefined before the first one, and for invalid settings. */
  end: number | undefined;
  /** The grade of proof; '' if the speaker did not play the announcement to its end. */
  proof: string;
  /** '' without a problem. */
  problem: string;
  /** Whether a message or a deploy ended it. */
  isStopped: boolean;
}

const STATES = ['idle', 'failed', 'waiting', 'playing'] as const;

/** Returns the states by the ids of the config nodes. */
export const statesIn = (reply: Fields): ReadonlyMap<string, ShownSpeaker> =>
  new Map(listOf(reply['speakers']).map((one) => [textOf(fieldsOf(one)['id']), stateIn(fieldsOf(one))]));

function stateIn(fields: Fields): ShownSpeaker {
  const last = fieldsOf(fields['last']);
  return {
    is: STATES.find((state) => state === fields['is']) ?? 'idle',
    end: numberOf(last['end']),
    proof: textOf(last['proof']),
    problem: textOf(last['problem']),
    isStopped: last['isStopped'] === true,
  };
}
