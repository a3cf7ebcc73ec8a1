/** Requests to the admin endpoints that the editor's dialogs use. */
import { z } from '@herald-speech/client';
import { wavOf } from '../../support/audio-files.js';
import { type Script, spoken } from '../../support/net/scripted-server.js';
import { CARD, naturalService } from './natural-service.js';

/** A valid request for each endpoint, without its account. */
export const requests: Record<string, object> = {
  test: {},
  voices: {},
  sample: { voice_id: 'anna', language: 'en', style: 'neutral', model: 'main_speech_1' },
  speak: { request: { text: 'Hello.' } },
  clone: { name: 'Mine', audio: wavOf({ seconds: 6 }).toString('base64') },
  'natural-voices': {},
  'natural-voices/card': { name: 'de_DE-anna-medium' },
  'natural-voices/sample': { name: 'de_DE-anna-medium' },
  'natural-voices/job': { name: 'de_DE-anna-medium' },
  'natural-voices/install': { name: 'de_DE-anna-medium', card: CARD.sha256 },
  'natural-voices/cancel': { name: 'de_DE-anna-medium' },
  'natural-voices/remove': { name: 'de_DE-anna-medium' },
};

/** The endpoints that change something or cost credits. */
export const WRITES = [
  'speak',
  'clone',
  'natural-voices/install',
  'natural-voices/cancel',
  'natural-voices/remove',
];

export interface Answer {
  status: number;
  text: string;
  json: Record<string, unknown>;
}

/** Sends a request to an endpoint, as the editor does. */
export async function ask(
  url: string,
  name: string,
  body: object,
  token?: string,
  language?: string,
): Promise<Answer> {
  const reply = await fetch(`${url}herald/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(language !== undefined && { 'accept-language': language }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  const json = /json/.test(reply.headers.get('content-type') ?? '')
    ? z.looseObject({}).parse(JSON.parse(text))
    : {};
  return { status: reply.status, text, json };
}

const failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Returns the error in the reply of an endpoint. */
export const failureOf = ({ json }: Answer) => failure.parse(json).error;

/** A preset voice in the format of the service. */
export const voiceOf = (voice_id: string, more: object = {}) => ({
  voice_id,
  name: voice_id,
  description: null,
  age: 'elder',
  gender: 'female',
  use_case: 'narration',
  use_cases: ['narration'],
  language: ['en'],
  styles: ['neutral'],
  models: ['main_speech_1'],
  samples: [],
  ...more,
});

/** A working hosted service with a preset voice, a custom voice and a balance. */
export const goodService: Script = (request) => {
  const { path, headers } = request;
  const sample = { language: 'en', style: 'neutral', model: 'main_speech_1' };
  const anna = voiceOf('anna', { samples: [{ ...sample, url: `http://${headers.host}/anna.wav` }] });
  if (path === '/v1/credits') return { body: { balance: 120 } };
  if (path === '/v1/voices/search') return { body: { items: [anna], total: 1 } };
  if (path === '/v1/custom-voices/search')
    return { body: { items: [{ voice_id: 'mine', name: 'Mine' }], total: 1 } };
  if (path === '/v1/custom-voices/cloned-voice') return { body: { voice_id: 'mine' } };
  if (path === '/v1/voices/anna') return { body: anna };
  if (path.startsWith('/v1/predict-duration/')) return { body: { duration: 1 } };
  if (path === '/anna.wav' || path.startsWith('/v1/text-to-speech/')) return spoken({ seconds: 0.2 });
  return naturalService().routes(request) ?? { status: 404, body: { status: 'error', message: 'not found' } };
};
