import type { NeuralReply, NeuralSettings } from '@herald-speech/local-service';

/** The start of the thread. */
export interface ThreadData {
  settings: NeuralSettings;
  /** The last request that was cancelled, -1 at the start. In shared memory, because the thread reads no message while it works. */
  cancelled: Int32Array;
}

/** The thread cannot answer its current request and later ones. */
interface Stop {
  kind: 'stop';
  message: string;
  /** Whether the memory limit is the reason. */
  isOutOfMemory: boolean;
}

/** The thread has finished a load, with success or without. */
interface LoadEnd {
  kind: 'loaded';
}

/** A message of the thread to the program. */
export type ThreadMessage = NeuralReply | Stop | LoadEnd;
