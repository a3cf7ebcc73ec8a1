import { SpeakerFault } from '../../speakers/fault.js';

/** Returns the reason for which an announcement was not played, or what happened in its place. */
export const reasonOf = (playing: Promise<unknown>): Promise<string> =>
  playing.then(
    () => 'played',
    (error: unknown) => (error instanceof SpeakerFault ? error.reason : String(error)),
  );
