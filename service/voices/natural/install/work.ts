/** Progress of an installation. */
export interface Progress {
  /** The steps, in their order. */
  phase: 'card' | 'download' | 'check' | 'measure';
  /** Bytes of all files so far. */
  bytes: number;
  total: number;
}

/** The caller's side of an installation. */
export interface Work {
  signal: AbortSignal;
  onProgress(progress: Progress): void;
}
