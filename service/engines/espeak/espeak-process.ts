import { type Analyse, loadAnalyser } from './japanese/analyser.js';
import { readingOf } from './japanese/reading.js';
import { type ChildReply, type ChildRequest, childRequest } from './messages.js';
import { loadSynthesizer, type Synthesize } from './synthesizer.js';
import { withinTime } from './time-limit.js';

/*
 * The program of eSpeak's own process: answers one request after the other over the channel to the process that
 * started it, and ends with that channel. eSpeak and the Japanese dictionary are each loaded with the first request that
 * needs them.
 */

/** Milliseconds for a sentence: a hung synthesis would not notice that the other process is gone. */
const TIME_LIMIT = 10_000;

let synthesizer: Promise<Synthesize> | undefined;
let analyser: Promise<Analyse> | undefined;

process.on('message', (message) => void answer(message));
process.on('disconnect', () => process.exit());

async function answer(message: unknown): Promise<void> {
  const reply = await replyTo(message);
  // What was interrupted can't be used again; the next request gets a new process.
  if (reply === undefined) process.exit(1);
  if (process.connected) process.send?.(reply);
}

async function replyTo(message: unknown): Promise<ChildReply | undefined> {
  try {
    const work = await workOf(childRequest.parse(message));
    return withinTime(TIME_LIMIT, work);
  } catch (error) {
    return { kind: 'failed', message: String(error).slice(0, 1000) };
  }
}

/** Loads what the request needs; what is left to do blocks. */
async function workOf(request: ChildRequest): Promise<() => ChildReply> {
  if (request.kind === 'utter') {
    synthesizer ??= loadSynthesizer();
    const synthesize = await synthesizer;
    return () => synthesize(request);
  }
  analyser ??= loadAnalyser();
  const analyse = await analyser;
  return () => ({ kind: 'read', kana: readingOf(analyse(request.text)) });
}
