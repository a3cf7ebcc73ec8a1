/** The audio of listen nodes that this editor plays. The playback reports it, the sidebar shows and stops it. */

/** Audio of a listen node. */
export interface HeardAudio {
  /** The id of the listen node that this editor shows. */
  node: string;
  /** The announcement of the audio, or '' for other audio. */
  sound: string;
  /** `blocked`: the browser plays it after a click. `waits`: it plays after other audio. */
  state: 'heard' | 'blocked' | 'waits';
}

type Stop = (matches: (audio: Pick<HeardAudio, 'node' | 'sound'>) => boolean) => void;

let heard: readonly HeardAudio[] = [];
let stop: Stop = () => undefined;
const listeners = new Set<() => void>();

/** Returns the current audio and the queued audio behind it, in the order of playing. */
export const heardAudio = (): readonly HeardAudio[] => heard;

/** Ends matching audio in this editor only. */
export const stopHeard: Stop = (matches) => stop(matches);

/** Sets the audio, and the function that ends it. */
export function reportHeard(all: readonly HeardAudio[], stopMatching: Stop): void {
  [heard, stop] = [all, stopMatching];
  for (const listener of listeners) listener();
}

/** Calls `listener` at each change of the audio. Returns a function that ends this. */
export function onHeard(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
