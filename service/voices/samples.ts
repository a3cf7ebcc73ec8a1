import type { Context } from 'hono';
import { speechHeader } from '../audio/wav.js';
import { SampleCache } from './sample-cache.js';
import { SampleQueue } from './sample-queue.js';
import { ServiceError } from '../errors.js';
import type { Speech } from '../workers/speech.js';
import type { Catalogue } from './catalogue.js';
import { greeting } from './greetings.js';
import { presetVoice } from './preset-voice.js';
import { choiceOf, toSynthesisRequest } from './speak-request.js';

/** The route of samples. It needs no key, because the audio element of a browser cannot send one. */
export const SAMPLE_PATH = '/samples/:voice/*';

/** Browsers cache samples for one day. Voices change only with a release. */
const CACHE_CONTROL = 'public, max-age=86400';

interface SampleDependencies {
  speech: Speech;
  catalogue: Catalogue;
}

/** Returns the handler for samples (docs/interface.md#sample). It creates a sample at the first request. */
export function sampleReply({ speech, catalogue }: SampleDependencies, closing: AbortSignal) {
  const cache = new SampleCache();
  const queue = new SampleQueue();
  return async ({ req }: Context): Promise<Response> => {
    const found = findSample(catalogue, req.param('voice') ?? '', req.path);
    const create = (signal: AbortSignal) => createSample(speech, found, signal);
    const audio = await cache.get(req.path, () => queue.run(create, closing));
    return new Response(audio, { headers: { 'content-type': 'audio/wav', 'cache-control': CACHE_CONTROL } });
  };
}

async function createSample(
  speech: Speech,
  { voice, sample }: ReturnType<typeof findSample>,
  signal: AbortSignal,
): Promise<Buffer> {
  const text = greeting(sample.language, voice.name);
  const utterance = { ...sample, voice_id: voice.voice_id, text };
  const request = toSynthesisRequest(voice, utterance, choiceOf(voice, utterance));
  const audio: Uint8Array[] = [];
  let sampleRate = 0;
  const job = { engine: voice.engine, request, encoding: 'pcm' } as const;
  for await (const piece of await speech.speakAside(job, signal)) {
    audio.push(piece.audio);
    sampleRate = piece.sampleRate;
  }
  const pcm = Buffer.concat(audio);
  return Buffer.concat([speechHeader(sampleRate, pcm.length), pcm]);
}

/** Finds a sample by its path. Only the listed samples exist (docs/interface.md#sample). @throws ServiceError 404 */
function findSample(catalogue: Catalogue, id: string, path: string) {
  const shown = catalogue.get(id);
  const voice = catalogue.speakable(id);
  const sample = shown && presetVoice(shown, '').samples?.find(({ url }) => url === path);
  if (voice !== undefined && sample) return { voice, sample };
  throw new ServiceError(404, 'path: unknown sample. Use an address from the samples of a voice.');
}
