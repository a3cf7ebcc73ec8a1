import { type Operation, operations } from '@herald-speech/client';
import { toneFile } from '../../support/service/service.js';

/** A request to an operation. */
interface Request {
  /** Value of `{voice_id}`. `custom` and `spare` are custom voices of the owner. */
  voice?: string;
  query?: string;
  body?: object;
}

/** A status of an operation, with a request that causes it. */
export interface Ending {
  operation: Operation;
  status: number;
  how: string;
  as: Caller;
  request: Request;
}

type Caller = 'owner' | 'nobody' | 'stranger' | 'free' | 'poor' | 'busy' | 'in a hurry';

const hello = { text: 'Hello there.', language: 'en' };

/** Returns the form of a clone request. */
export const upload = (file: Uint8Array<ArrayBuffer>, name = 'Me') => {
  const form = new FormData();
  form.append('name', name);
  form.append('files', new Blob([file]), 'me.wav');
  return form;
};

/** A sample to clone. */
export const sample = toneFile(110, 2);

/** A successful request to each operation. */
const good: Readonly<Record<string, Request>> = {
  createSpeech: { voice: 'slt', body: hello },
  streamSpeech: { voice: 'slt', body: hello },
  predictDuration: { voice: 'slt', body: hello },
  searchVoices: { query: 'language=en,ko&style=happy;sad' },
  listVoices: { query: 'page_size=100' },
  getVoice: { voice: 'slt' },
  createClonedVoice: { body: upload(sample) },
  searchCustomVoices: { query: 'name=me&style=neutral' },
  getCustomVoice: { voice: 'custom' },
  editCustomVoice: { voice: 'custom', body: { name: 'You' } },
  deleteCustomVoice: { voice: 'spare' },
  getUsage: { query: 'start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z' },
  getVoiceUsage: { query: 'start_date=2026-01-01&end_date=2026-01-02' },
};

/** Changes that make each request invalid. */
const bad: Readonly<Record<string, Request>> = {
  createSpeech: { body: { ...hello, text: 'a'.repeat(100_000) } },
  streamSpeech: { body: { ...hello, model: 'main_speech_2' } },
  predictDuration: { body: { ...hello, voice_settings: { speed: 3 } } },
  searchVoices: { query: 'style=happy,sad;angry' },
  listVoices: { query: 'page_size=9' },
  getVoice: { voice: '%20' },
  createClonedVoice: { body: upload(sample, 'x'.repeat(101)) },
  listCustomVoices: { query: 'next_page_token=x' },
  searchCustomVoices: { query: 'page_size=101' },
  getCustomVoice: { voice: '%20' },
  editCustomVoice: { body: { name: '' } },
  deleteCustomVoice: { voice: '%20' },
  getUsage: { query: 'start_time=yesterday&end_time=today' },
  getVoiceUsage: { query: 'start_date=2026-01-01&end_date=2026-03-01' },
};

/** Every operation of the interface. */
export const every: readonly Operation[] = Object.values(operations);
const { createSpeech, streamSpeech, createClonedVoice } = operations;
const speaking = [createSpeech, streamSpeech, operations.predictDuration];
const onCustomVoice = every.filter(({ path }) => path === '/v1/custom-voices/{voice_id}');
const spokenForms = ['wav', 'mp3'].flatMap((output_format) => [
  { how: output_format, body: { ...hello, output_format } },
  { how: `${output_format} with phonemes`, body: { ...hello, output_format, include_phonemes: true } },
]);

/** Returns endings of several operations with the same status and cause. */
function ending(
  these: readonly Operation[],
  status: number,
  how: string,
  as: Caller = 'owner',
  change: Request = {},
): Ending[] {
  const requestTo = ({ name }: Operation) => ({ ...good[name], ...(status === 400 && bad[name]), ...change });
  return these.map((operation) => ({ operation, status, how, as, request: requestTo(operation) }));
}

/** Every ending that a caller can cause. */
export const endings: readonly Ending[] = [
  ...every.flatMap((operation) =>
    ending([operation], operation.reply === 'empty' ? 204 : 200, 'a valid request'),
  ),
  ...spokenForms.flatMap(({ how, body }) =>
    ending([createSpeech, streamSpeech], 200, how, 'owner', { body }),
  ),
  ...ending(
    every.filter(({ name }) => name in bad),
    400,
    'an invalid request',
  ),
  ...ending(speaking, 200, 'a model name of another service', 'owner', {
    body: { ...hello, model: 'another_speech_1' },
  }),
  ...ending(every, 401, 'an unknown key', 'nobody'),
  ...ending([createSpeech, streamSpeech], 402, 'an account without credits', 'poor'),
  ...ending([...speaking, ...onCustomVoice], 403, 'a voice of another account', 'stranger', {
    voice: 'custom',
  }),
  ...ending([createClonedVoice], 403, 'an account of the Free tier', 'free'),
  ...ending(
    every.filter(({ path }) => path.includes('{voice_id}')),
    404,
    'an unknown voice',
    'owner',
    { voice: 'nobody' },
  ),
  ...ending(speaking, 408, 'a service with a short time limit', 'in a hurry'),
  ...ending([createClonedVoice], 413, 'a file over 3 MB', 'owner', {
    body: upload(new Uint8Array(3_100_000)),
  }),
  ...ending([createClonedVoice], 415, 'a file without audio', 'owner', { body: upload(new Uint8Array(500)) }),
  ...ending(every, 429, 'an account that exceeds its rate', 'busy'),
];
