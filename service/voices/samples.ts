import type { Context } from 'hono';
import { speechHeader } from '../audio/wav.js';
import { SampleCache } from './sample-cache.js';
import { ServiceError } from '../errors.js';
import type { Speech } from '../workers/speech.js';
import type { Catalogue } from './catalogue.js';
import { greeting } from './greetings.js';
import { presetVoice } from './preset-voice.js';
import { choiceOf, toSpeechRequest } from './speak-request.js';

/** Where samples are heard, without a key: a browser's audio element can't send one. */
export const SAMPLE_PATH = '/samples/:voice/*';

/** A day: the sound of a voice changes with a release at most. */
const CACHE_CONTROL = 'public, max-age=86400';

interface SampleParts {
  speech: Speech;
  catalogue: Catalogue;
}

/** Answers a sample of the catalogue (docs/interface.md#sample), made when it is first asked for. */
export function sampleReply({ speech, catalogue }: SampleParts, closing: AbortSignal) {
  const cache = new SampleCache();
  return async ({ req }: Context): Promise<Response> => {
    const found = findSample(catalogue, req.param('voice') ?? '', req.path);
    const audio = await cache.get(req.path, () => makeSample(speech, found, closing));
    return new Response(audio, { headers: { 'content-type': 'audio/wav', 'cache-control': CACHE_CONTROL } });
  };
}

async function makeSample(
  speech: Speech,
  { voice, sample }: ReturnType<typeof findSample>,
  signal: AbortSignal,
): Promise<Buffer> {
  const text = greeting(sample.language, voice.name);
  const utterance = { ...sample, voice_id: voice.voice_id, text };
  const request = toSpeechRequest(voice, utterance, choiceOf(voice, utterance));
  const audio: Uint8Array[] = [];
  let sampleRate = 0;
  for await (const piece of speech.speak({ engine: voice.engine, request, encoding: 'pcm' }, signal)) {
    audio.push(piece.audio);
    sampleRate = piece.sampleRate;
  }
  const pcm = Buffer.concat(audio);
  return Buffer.concat([speechHeader(sampleRate, pcm.length), pcm]);
}

/** The catalogue's list is the authority on what there is (docs/interface.md#sample). */
function findSample(catalogue: Catalogue, id: string, path: string) {
  const shown = catalogue.get(id);
  const voice = catalogue.speakable(id);
  const sample = shown && presetVoice(shown, '').samples?.find(({ url }) => url === path);
  if (voice !== undefined && sample) return { voice, sample };
  throw new ServiceError(404, 'there is no such sample');
}
