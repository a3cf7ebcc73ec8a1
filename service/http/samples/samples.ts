import type { Context } from 'hono';
import { speechHeader } from '../../kit/audio/wav.js';
import { SampleCache } from './sample-cache.js';
import { SampleQueue } from './sample-queue.js';
import { ServiceError } from '../../kit/errors.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { SpeechSynthesis } from '../../voices/workers/speech.js';
import type { Catalogue } from '../../voices/catalogue/catalogue.js';
import { greeting } from '../../voices/engines/greetings.js';
import { isNaturalVoice, presetVoice } from '../../voices/catalogue/preset-voice.js';
import { combinationOf, toSynthesisRequest } from '../../voices/catalogue/speak-request.js';

/** The route of samples. It needs no key, because the audio element of a browser cannot send one. */
export const SAMPLE_PATH = '/samples/:voice/*';

/** Browsers cache samples for one day. Simple voices change only with a release. */
const CACHE_CONTROL = 'public, max-age=86400';
/** A user can remove and install a natural voice at any time. */
const NATURAL_CACHE_CONTROL = 'no-cache';

interface SampleDependencies {
  speech: SpeechSynthesis;
  catalogue: Catalogue;
  metrics: Metrics;
}

/** Returns the handler for samples (docs/interface.md#sample). It creates a sample at the first request. */
export function sampleReply({ speech, catalogue, metrics }: SampleDependencies, closing: AbortSignal) {
  const caches = new SampleCaches(catalogue);
  const queue = new SampleQueue();
  return async ({ req }: Context): Promise<Response> => {
    const found = findSample(catalogue, req.param('voice') ?? '', req.path);
    let result: 'hit' | 'miss' = 'hit';
    const create = (signal: AbortSignal) => createSample(speech, found, signal);
    const audio = await caches.of(found).get(found.sample.url, () => {
      result = 'miss';
      return queue.run(create, closing);
    });
    metrics.sampleCache(result);
    const control = found.isNatural ? NATURAL_CACHE_CONTROL : CACHE_CONTROL;
    return new Response(audio, { headers: { 'content-type': 'audio/wav', 'cache-control': control } });
  };
}

/** Forgets the samples of natural voices when voices are installed or removed. */
class SampleCaches {
  readonly #catalogue: Catalogue;
  readonly #simple = new SampleCache();
  #natural = new SampleCache();
  #voices: Catalogue['voices'] | undefined;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  of({ isNatural }: { isNatural: boolean }): SampleCache {
    if (!isNatural) return this.#simple;
    const { voices } = this.#catalogue;
    if (voices !== this.#voices) this.#natural = new SampleCache();
    this.#voices = voices;
    return this.#natural;
  }
}

async function createSample(
  speech: SpeechSynthesis,
  { voice, sample }: ReturnType<typeof findSample>,
  signal: AbortSignal,
): Promise<Buffer> {
  const text = greeting(sample.language, voice.name);
  const utterance = { ...sample, voice_id: voice.voice_id, text };
  const request = toSynthesisRequest(voice, utterance, combinationOf(voice, utterance));
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

/**
 * Finds a sample by its path. Only the listed samples exist (docs/interface.md#sample).
 * @param path path of the request; the HTTP library decodes most characters
 * @throws ServiceError 404
 */
function findSample(catalogue: Catalogue, id: string, path: string) {
  const shown = catalogue.get(id);
  const voice = catalogue.speakable(id);
  const sample =
    shown && presetVoice(shown, '').samples?.find(({ url }) => [url, decodeURIComponent(url)].includes(path));
  if (voice !== undefined && shown !== undefined && sample) {
    return { voice, sample, isNatural: isNaturalVoice(shown) };
  }
  throw new ServiceError(404, 'path: unknown sample. Use an address from the samples of a voice.');
}
