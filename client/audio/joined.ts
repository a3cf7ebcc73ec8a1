/** The playing time of a piece within the joined file, in seconds. */
export interface Span {
  start: number;
  duration: number;
}

/** Several files of one container, joined into one. */
export interface Joined {
  audio: Uint8Array;
  /** Playing time of the joined file in seconds. */
  duration: number;
  pieces: Span[];
}
