import { type Operation, operations } from '@herald-speech/client';
import { toneFile } from '../../support/service.js';

/** A request to an operation. */
export interface Request {
  /** In place of `{voice_id}`; `own` and `spare` are voices of the owner. */
  voice?: string;
  query?: string;
  body?: object;
}

/** A way that an operation may end, and how it gets there. */
export interface Ending {
  operation: Operation;
  status: number;
  how: string;
  as: Caller;
  request: Request;
}

type Caller = 'owner' | 'nobody' | 'stranger' | 'free' | 'poor' | 'busy' | 'in a hurry';

const hello = { text: 'Hello there.', language: 'en' };

/** The form of a clone request. */
export const upload = (file: Uint8Array<ArrayBuffer>, name = 'Me') => {
  const form = new FormData();
  form.append('name', name);
  form.append('files', new Blob([file]), 'me.wav');
  return form;
};

/** A sample to clone. */
export const sample = toneFile(110, 2);

/** A request to each operation that is answered well. */
const good: Readonly<Record<string, Request>> = {
  createSpeech: { voice: 'slt', body: hello },
  streamSpeech: { voice: 'slt', body: hello },
  predictDuration: { voice: 'slt', body: hello },
  searchVoices: { query: 'language=en,ko&style=happy;sad' },
  listVoices: { query: 'page_size=100' },
  getVoice: { voice: 'slt' },
  createClonedVoice: { body: upload(sample) },
  searchCustomVoices: { query: 'name=me' },
  getCustomVoice: { voice: 'own' },
  editCustomVoice: { voice: 'own', body: { name: 'You' } },
  deleteCustomVoice: { voice: 'spare' },
  getUsage: { query: 'start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z' },
  getVoiceUsage: { query: 'start_date=2026-01-01&end_date=2026-01-02' },
};

/** What makes a bad request of it. */
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
const onOwnVoice = every.filter(({ path }) => path === '/v1/custom-voices/{voice_id}');
const spokenForms = ['wav', 'mp3'].flatMap((output_format) => [
  { how: output_format, body: { ...hello, output_format } },
  { how: `${output_format} with phonemes`, body: { ...hello, output_format, include_phonemes: true } },
]);

/** Several operations that end in one way. */
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

/** Every way to end that a caller can bring about. */
export const endings: readonly Ending[] = [
  ...every.flatMap((operation) =>
    ending([operation], operation.reply === 'empty' ? 204 : 200, 'all is well'),
  ),
  ...spokenForms.flatMap(({ how, body }) =>
    ending([createSpeech, streamSpeech], 200, how, 'owner', { body }),
  ),
  ...ending(
    every.filter(({ name }) => name in bad),
    400,
    'a request that makes no sense',
  ),
  ...ending(speaking, 200, 'a model by the name of another deployment', 'owner', {
    body: { ...hello, model: 'another_speech_1' },
  }),
  ...ending(every, 401, 'no key', 'nobody'),
  ...ending([createSpeech, streamSpeech], 402, 'no credits', 'poor'),
  ...ending([...speaking, ...onOwnVoice], 403, "another account's voice", 'stranger', { voice: 'own' }),
  ...ending([createClonedVoice], 403, 'the Free tier', 'free'),
  ...ending(
    every.filter(({ path }) => path.includes('{voice_id}')),
    404,
    'no such voice',
    'owner',
    { voice: 'nobody' },
  ),
  ...ending(speaking, 408, 'no time', 'in a hurry'),
  ...ending([createClonedVoice], 413, 'over 3 MB', 'owner', { body: upload(new Uint8Array(3_100_000)) }),
  ...ending([createClonedVoice], 415, 'no audio', 'owner', { body: upload(new Uint8Array(500)) }),
  ...ending(every, 429, 'too often', 'busy'),
];
