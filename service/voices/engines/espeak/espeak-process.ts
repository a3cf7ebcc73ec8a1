import { answerCalls } from '@herald-speech/client/calls';
import type * as analysers from './japanese/analyser.js';
import { kanaReading } from './japanese/reading.js';
import { type ChildReply, type ChildRequest, MAX_MESSAGE, toChildRequest } from './messages.js';
import { loadSynthesizer, type Synthesizer } from './synthesizer.js';
import { withinTime } from './time-limit.js';

/*
 * The program of eSpeak's process: answers one request at a time over the channel to its parent, and ends when the
 * channel closes. eSpeak and the Japanese dictionary load with the first request that needs them.
 */

/** Milliseconds for a sentence. The process needs its own limit, because a hung synthesis cannot see a closed channel. */
const TIME_LIMIT = 20_000;

let synthesizer: Promise<Synthesizer> | undefined;
let analyser: Promise<analysers.Analyse> | undefined;

process.on('disconnect', () => process.exit());
// A signal to the whole process group must not end a request that the service lets finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
answerCalls<ChildRequest>(process, {
  kinds: ['utter', 'read', 'phonemes'],
  answer: async (request) => {
    const work = await workOf(toChildRequest(request));
    // An interrupted synthesizer is unusable. The next request starts a new process.
    return withinTime(TIME_LIMIT, work) ?? process.exit(1);
  },
  failure: (error) => ({ message: String(error).slice(0, MAX_MESSAGE) }),
});

/** Loads the parts that the request needs, and returns the blocking rest of the work. */
async function workOf(request: ChildRequest): Promise<() => ChildReply> {
  if (request.kind !== 'read') {
    synthesizer ??= loadSynthesizer();
    const { synthesize, phonemesOf } = await synthesizer;
    if (request.kind === 'utter') return () => synthesize(request);
    return () => ({ kind: 'phonemes', texts: phonemesOf(request) });
  }
  // Loaded here, because only Japanese needs it and the schema library, which takes 50 ms.
  const { loadAnalyser }: typeof analysers = require('./japanese/analyser.js');
  analyser ??= loadAnalyser();
  const analyse = await analyser;
  return () => ({ kind: 'read', kana: kanaReading(analyse(request.text)) });
}
