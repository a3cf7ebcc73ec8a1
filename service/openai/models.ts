import { models } from '@herald-speech/client/interface';
import { OpenAiError } from './api-error.js';

/** Names of the OpenAI API. All of them use the same local voices. */
const aliases = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'];

/** The date that the OpenAI API appends to the name of a version of a model. */
const VERSION = /-\d{4}(-\d{2}-\d{2})?$/;

const names: readonly string[] = [...aliases, ...Object.keys(models)];

/** Seconds since 1970. The local voices have no date, but clients expect one. */
const CREATED = 1_700_000_000;

/** Returns the entries of GET /v1/models. */
export const listedModels = () => names.map(described);

/** Returns the entry of a model. @throws OpenAiError 404 */
export function modelEntry(name: string) {
  checkModel(name);
  return described(name);
}

/**
 * Returns the model of the native interface. Undefined for the names of the OpenAI API: the first model with the language then
 * speaks.
 * @throws OpenAiError 404
 */
export function nativeModel(name: string): string | undefined {
  checkModel(name);
  return Object.hasOwn(models, name) ? name : undefined;
}

function checkModel(name: string): void {
  if (names.includes(name) || aliases.includes(name.replace(VERSION, ''))) return;
  throw new OpenAiError(
    404,
    'invalid_request_error',
    `model ${JSON.stringify(name.slice(0, 80))}: unknown model. Use one of ${names.join(', ')}`,
    { param: 'model', code: 'model_not_found' },
  );
}

function described(id: string) {
  return { id, object: 'model', created: CREATED, owned_by: 'herald' } as const;
}
