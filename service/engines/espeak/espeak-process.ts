import { type UtteranceReply, utteranceRequest } from './messages.js';
import { loadSynthesizer, type Synthesize } from './synthesizer.js';
import { withinTime } from './time-limit.js';

/*
 * The program of eSpeak's own process: answers one request after the other over the channel to the process that
 * started it, and ends with that channel. eSpeak is loaded with the first request.
 */

/** Milliseconds for a sentence: a hung synthesis would not notice that the other process is gone. */
const TIME_LIMIT = 10_000;

let synthesizer: Promise<Synthesize> | undefined;

process.on('message', (message) => void answer(message));
process.on('disconnect', () => process.exit());

async function answer(message: unknown): Promise<void> {
  const reply = await replyTo(message);
  // What was interrupted can't be used again; the next request gets a new process.
  if (reply === undefined) process.exit(1);
  if (process.connected) process.send?.(reply);
}

async function replyTo(message: unknown): Promise<UtteranceReply | undefined> {
  try {
    const request = utteranceRequest.parse(message);
    synthesizer ??= loadSynthesizer();
    const synthesize = await synthesizer;
    return withinTime(TIME_LIMIT, () => synthesize(request));
  } catch (error) {
    return { kind: 'failed', message: String(error).slice(0, 1000) };
  }
}
