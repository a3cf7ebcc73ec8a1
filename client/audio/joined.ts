/** When a piece starts to play in the whole, and how long it plays, in seconds. */
export interface Span {
  start: number;
  duration: number;
}

/** Many files of one container as one. */
export interface Joined {
  audio: Uint8Array;
  /** Seconds of the whole. */
  duration: number;
  pieces: Span[];
}
