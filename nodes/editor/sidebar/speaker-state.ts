/** The states of the deployed speakers, as `speakers/states` describes them. */
import { type Fields, flagOf, listWith, numberOf, oneOf, shapeOf, textOf } from '@herald-speech/browser';

/** `failed`: the speaker is free, and did not play its last announcement, or its settings are invalid. */
const STATES = ['idle', 'failed', 'waiting', 'playing'] as const;

const speakersIn = listWith(
  shapeOf({
    id: textOf,
    is: oneOf(STATES),
    last: shapeOf({
      /** Milliseconds since 1970 of the end of the last announcement; undefined before the first one, and for invalid settings. */
      end: numberOf,
      /** The grade of proof; '' if the speaker did not play the announcement to its end. */
      proof: textOf,
      /** '' without a problem. */
      problem: textOf,
      /** Whether a message or a deploy ended it. */
      isStopped: flagOf,
    }),
  }),
);

export type ShownSpeaker = ReturnType<typeof speakersIn>[number];

/** Returns the states by the ids of the config nodes. */
export const statesIn = (reply: Fields): ReadonlyMap<string, ShownSpeaker> =>
  new Map(speakersIn(reply['speakers']).map((one) => [one.id, one]));
