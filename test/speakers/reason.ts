import type { Played } from '../../speakers/announce/announce.js';
import { SpeakerFault } from '../../speakers/fault.js';

/** Returns the reason for which an announcement was not played, or what happened in its place. */
export const reasonOf = (playing: Promise<unknown>): Promise<string> =>
  playing.then(
    () => 'played',
    (error: unknown) => (error instanceof SpeakerFault ? error.reason : String(error)),
  );

/** Returns the result of an announcement: its proof and its warnings, or the reason of its failure. */
export const resultOf = (playing: Promise<Played>): Promise<string> =>
  playing.then(
    ({ proof, warnings = [] }) => [proof, ...warnings].join(', '),
    (error: unknown) => (error instanceof SpeakerFault ? error.reason : String(error)),
  );
