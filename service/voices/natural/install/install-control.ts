/** Progress of an installation. */
export interface InstallProgress {
  /** The steps, in their order. */
  phase: 'card' | 'download' | 'check' | 'measure';
  /** Bytes of all files so far. */
  bytes: number;
  total: number;
  /** The name of the current voice of an import. */
  voice?: string;
}

/** The caller's side of an installation. */
export interface InstallControl {
  signal: AbortSignal;
  onProgress(progress: InstallProgress): void;
}
