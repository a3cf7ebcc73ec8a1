/** The states of the deployed speakers, as `speakers/states` describes them. */
import { type Fields, fieldsOf, listOf, numberOf, textOf } from '@herald-speech/browser';

export interface ShownSpeaker {
  is: 'idle' | 'waiting' | 'playing';
  /** Milliseconds since 1970 of the end of the last announcement; undefined before the first one. */
  end: number | undefined;
  /** The grade of proof; '' if the speaker did not play the announcement to its end. */
  proof: string;
  /** '' without a problem. */
  problem: string;
}

const STATES = ['idle', 'waiting', 'playing'] as const;

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
  };
}
