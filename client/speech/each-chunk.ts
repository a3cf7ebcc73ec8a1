import type { CallOptions } from '../calls/account.js';
import { asSpeechError, type SpeechError } from '../base/errors.js';
import { abridged } from '../interface/describe-issues.js';
import { messageOf, text } from '../base/messages.js';
import { inOrder } from './in-order.js';
import type { SpeechPlan } from './plan.js';
import type { PieceOptions } from './speak-piece.js';
import type { SpeechRequest } from '../interface/operations.js';

export interface ChunkOptions extends PieceOptions {
  /** Index of the first chunk to send. */
  first?: number | undefined;
}

export type Send<Reply> = (request: SpeechRequest, options: PieceOptions, index: number) => Promise<Reply>;

/** Sends the requests of a plan, several at a time, and yields the replies in order. An error names its chunk. */
export function eachChunk<Reply>(
  plan: SpeechPlan,
  options: ChunkOptions & { concurrency: number },
  send: Send<Reply>,
): AsyncGenerator<Reply, void, undefined> {
  const { concurrency, first = 0, signal } = options;
  return inOrder(plan.requests.slice(first), { concurrency, signal }, senderOf(plan, options, send));
}

/** Sends the only request of a plan. @throws SpeechError */
export function sendOnly<Reply>(plan: SpeechPlan, options: ChunkOptions, send: Send<Reply>): Promise<Reply> {
  const [only] = plan.requests;
  if (only === undefined) throw new Error('the plan has no chunk');
  return senderOf(plan, options, send)(only, 0, options.signal);
}

/** Returns a function that sends one request, counted from `first`, and reports the progress of the whole text. */
function senderOf<Reply>({ cuts }: SpeechPlan, options: ChunkOptions, send: Send<Reply>) {
  const { first = 0 } = options;
  const count = cuts.length;
  let done = first;
  const report = () => options.onProgress?.({ state: 'speaking', done, count });
  const onProgress: CallOptions['onProgress'] = (progress) =>
    progress.state === 'sending' ? report() : options.onProgress?.(progress);
  return async (request: SpeechRequest, place: number, signal: AbortSignal | undefined) => {
    const index = first + place;
    try {
      const reply = await send(request, { ...options, signal, onProgress }, index);
      done += 1;
      report();
      return reply;
    } catch (thrown) {
      throw ofChunk(ofVoice(asSpeechError(thrown), request), cuts, index);
    }
  };
}

/** The command in the error of the local service for a natural voice that can be installed. */
const INSTALL = /herald-service voices install ([\w-]{1,100})"/;

/** Names the voice in place of the service's error text. A 404 without such a text has another cause, such as a wrong URL. */
function ofVoice(error: SpeechError, { voice_id }: SpeechRequest): SpeechError {
  if (error.code !== 'not-found' || error.service === undefined) return error;
  const [, name] = INSTALL.exec(error.service) ?? [];
  const facts = { field: 'voice_id', voice: abridged(voice_id) };
  const message =
    name === undefined ? text('voice-unknown', facts) : text('voice-not-installed', { ...facts, name });
  return error.with({ message });
}

function ofChunk(error: SpeechError, cuts: SpeechPlan['cuts'], index: number): SpeechError {
  const cut = cuts[index];
  const count = cuts.length;
  if (cut === undefined || count < 2 || error.chunk !== undefined) return error;
  const message = text('chunk', { index: index + 1, count, failure: messageOf(error) });
  return error.with({ message, chunk: { index, count, start: cut.start, end: cut.end } });
}
