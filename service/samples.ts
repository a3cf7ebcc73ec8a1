import type { Context } from 'hono';
import { speechHeader } from './audio/wav.js';
import { SampleCache } from './sample-cache.js';
import { ServiceError } from './service-error.js';
import type { Speech } from './speech.js';
import { presets, presetVoices } from './voices/catalogue.js';
import { toSpeechRequest } from './voices/speak-request.js';

/** Where samples are heard, without a key: a browser's audio element can't send one. */
export const SAMPLE_PATH = '/samples/*';

/** A day: the sound of a voice changes with a release at most. */
const CACHE_CONTROL = 'public, max-age=86400';

/** Answers a sample of the catalogue (service-api.md, 2.2), made when it is first asked for. */
export function sampleReply(speech: Speech, closing: AbortSignal) {
  const cache = new SampleCache();
  return async ({ req: { path } }: Context): Promise<Response> => {
    const audio = await cache.get(path, () => makeSample(speech, path, closing));
    return new Response(audio, { headers: { 'content-type': 'audio/wav', 'cache-control': CACHE_CONTROL } });
  };
}

async function makeSample(speech: Speech, path: string, signal: AbortSignal): Promise<Buffer> {
  const { voice, sample } = findSample(path);
  const text = `Hello, I am ${voice.name}. This is how I sound.`;
  const speakable = presets.get(voice.voice_id);
  if (speakable === undefined) throw new Error(`the catalogue has no engine for "${voice.voice_id}"`);
  const request = toSpeechRequest(speakable, { ...sample, voice_id: voice.voice_id, text });
  const audio: Uint8Array[] = [];
  let sampleRate = 0;
  for await (const piece of speech.speak({ engine: speakable.engine, request, encoding: 'pcm' }, signal)) {
    audio.push(piece.audio);
    sampleRate = piece.sampleRate;
  }
  const pcm = Buffer.concat(audio);
  return Buffer.concat([speechHeader(sampleRate, pcm.length), pcm]);
}

/** The catalogue's list is the authority on what there is (service-api.md, 2.2). */
function findSample(path: string) {
  for (const voice of presetVoices('')) {
    const sample = voice.samples?.find(({ url }) => url === path);
    if (sample !== undefined) return { voice, sample };
  }
  throw new ServiceError(404, `there is no sample ${path}`);
}
