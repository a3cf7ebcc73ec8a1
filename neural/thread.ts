import type { NeuralReply } from '@herald-speech/local-service';

/** The thread cannot answer its current request and later ones. */
interface Stop {
  kind: 'stop';
  message: string;
  /** Whether the memory limit is the reason. */
  isOutOfMemory: boolean;
}

/** A message of the thread to the program. */
export type ThreadMessage = NeuralReply | Stop;
