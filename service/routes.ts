import { operations, type RequestOf } from '@herald-speech/client';
import { makeClone, speakable, toCustomVoice } from './clones/clone.js';
import type { CloneStore } from './clones/clone-store.js';
import { answer, reply, type Route } from './route.js';
import { ServiceError } from './service-error.js';
import type { Speech } from './speech.js';
import { rounded, type SpokenForm, streamedReply, wholeReply } from './spoken-reply.js';
import { presets, presetVoices } from './voices/catalogue.js';
import { numberToken, opaqueToken, pageOf } from './voices/page.js';
import { hasWords, searchVoices } from './voices/search.js';
import { toSpeechRequest } from './voices/speak-request.js';
import type { SpeakJob } from './workers/jobs.js';

/** What the handlers work with. */
export interface Parts {
  speech: Speech;
  clones: CloneStore;
}

type Spoken = RequestOf<typeof operations.createSpeech>;

/** The one model that streams (operations.md, Speech). */
const STREAMING_MODEL = 'main_speech_1';

/** Every operation that this service answers. A new one is added here. */
export function routesOf(parts: Parts): Route[] {
  return [
    ...speechRoutes(parts),
    ...presetRoutes(),
    ...customVoiceRoutes(parts),
    // Nothing is charged on one's own machine.
    reply(operations.getCredits, () => ({ balance: null })),
  ];
}

function speechRoutes(parts: Parts): Route[] {
  const { speech } = parts;
  return [
    answer(operations.createSpeech, async (request, { signal }) =>
      wholeReply(speech.speak(jobOf(parts, request), signal), formOf(request)),
    ),
    answer(operations.streamSpeech, async (request, { signal, outgoing }) => {
      if ((request.model ?? STREAMING_MODEL) !== STREAMING_MODEL) {
        throw new ServiceError(400, `model is "${request.model}": only ${STREAMING_MODEL} streams`);
      }
      return streamedReply(speech.speak(jobOf(parts, request), signal), formOf(request), outgoing, signal);
    }),
    reply(operations.predictDuration, async (request, { signal }) => {
      const pieces = speech.speak({ ...jobOf(parts, request), encoding: 'none' }, signal);
      let duration = 0;
      for await (const { seconds } of pieces) duration += seconds;
      return { duration: rounded(duration) };
    }),
  ];
}

function formOf({ output_format: format = 'wav', include_phonemes: phonemes = false }: Spoken): SpokenForm {
  return { format, phonemes };
}

function jobOf({ clones }: Parts, request: Spoken): Omit<SpeakJob, 'kind'> {
  const { voice_id: id, output_format: format } = request;
  const own = clones.get(id);
  const voice = presets.get(id) ?? (own && speakable(own)) ?? notFound('voice', id);
  const encoding = format === 'mp3' ? 'mp3' : 'pcm';
  return { engine: voice.engine, request: toSpeechRequest(voice, request), encoding };
}

function presetRoutes(): Route[] {
  return [
    reply(operations.searchVoices, ({ page_size, next_page_token, ...filters }, { origin }) =>
      pageOf(searchVoices(presetVoices(origin), filters), { page_size, next_page_token }, opaqueToken),
    ),
    reply(operations.listVoices, (paging, { origin }) => pageOf(presetVoices(origin), paging, opaqueToken)),
    reply(operations.getVoice, ({ voice_id: id }, { origin }) => {
      const voice = presetVoices(origin).find((voice) => voice.voice_id === id);
      return voice ?? notFound('voice', id);
    }),
  ];
}

function customVoiceRoutes(parts: Parts): Route[] {
  const { clones } = parts;
  return [
    reply(operations.createClonedVoice, async (request, { signal }) => {
      const { voice_id } = await makeClone(request, parts, signal);
      return { voice_id };
    }),
    reply(operations.listCustomVoices, (paging) =>
      pageOf(clones.list().map(toCustomVoice), paging, numberToken),
    ),
    reply(operations.searchCustomVoices, ({ name, description, ...paging }) => {
      const found = clones
        .list()
        .filter((voice) => hasWords(voice.name, name) && hasWords(voice.description, description));
      return pageOf(found.map(toCustomVoice), paging, numberToken);
    }),
    reply(operations.getCustomVoice, ({ voice_id: id }) =>
      toCustomVoice(clones.get(id) ?? notFound('own voice', id)),
    ),
    reply(operations.editCustomVoice, async ({ voice_id: id, ...changes }) =>
      toCustomVoice((await clones.edit(id, changes)) ?? notFound('own voice', id)),
    ),
    answer(operations.deleteCustomVoice, async ({ voice_id: id }) => {
      if (!(await clones.remove(id))) notFound('own voice', id);
      return new Response(undefined, { status: 204 });
    }),
  ];
}

function notFound(what: string, id: string): never {
  throw new ServiceError(404, `there is no ${what} "${id}"`);
}
