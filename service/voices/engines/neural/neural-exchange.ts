import type { ChildProcess } from 'node:child_process';
import { SpeechTimeoutError, VoiceError } from '../engine.js';
import { type NeuralPart, type NeuralReply, neuralReply, type NeuralRequest } from './messages.js';

/** The process ended before it answered, or before it had the sentence. */
export class EndedError extends VoiceError {}

/** The last reply to a sentence. */
export type SentenceReply = Exclude<NeuralReply, { kind: 'idle' | 'part' }>;

/**
 * Sends a sentence to the process and returns its last reply.
 * @param timeLimit milliseconds
 * @throws EndedError; VoiceError for an invalid reply; SpeechTimeoutError after the time limit
 */
export async function askProcess(
  child: ChildProcess,
  request: NeuralRequest,
  timeLimit: number,
  onPart: (part: NeuralPart) => void,
): Promise<SentenceReply> {
  return new Promise<SentenceReply>((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      outcome();
    };
    const fail = (message: string, cause?: unknown) =>
      settle(() => reject(new VoiceError(message, { cause })));
    const end = (message: string, cause?: Error) => settle(() => reject(new EndedError(message, { cause })));
    const onMessage = (message: unknown) => {
      const { success, data: reply, error } = neuralReply.safeParse(message);
      if (!success) return fail('the neural process sent an invalid reply', error);
      if (reply.kind === 'idle' || reply.id !== request.id) return undefined;
      return reply.kind === 'part' ? onPart(reply) : settle(() => resolve(reply));
    };
    const onError = (cause: Error) => end('the neural process did not receive the sentence', cause);
    const onExit = (code: number | null, signal: string | null) =>
      end(`the neural process ended with ${signal ?? `exit code ${code}`} while it spoke a sentence`);
    const late = `the natural voice exceeded the time limit of ${timeLimit / 1000} s for a sentence: try again, or send less text`;
    const timer = setTimeout(() => settle(() => reject(new SpeechTimeoutError(late))), timeLimit);
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    child.send(request, (error) => error && onError(error));
  });
}
