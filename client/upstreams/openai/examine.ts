/** What a compatible service tells about itself: whether its address, the key and the model are right. */
import type { Stop } from '../../base/abort.js';
import { fieldOf, textOf } from '../../base/values.js';
import type { HttpReply } from '../../http/exchange.js';
import { typeOf } from '../../http/reply.js';
import { parseJson } from '../../http/speech-json.js';
import type { Examination } from '../upstream.js';
import { readVoices } from './listed-voices.js';
import { refusalOf } from './refusal.js';

/** Models that are read of a list. */
const MAX_MODELS = 1000;

/** UTF-16 code units of the name of a model. */
const MAX_NAME = 200;

/** The lists of a service, in one attempt each. */
export interface Lists {
  /** Reads a list with the key of the account. @throws SpeechError without a complete reply */
  read(path: string, stop: Stop): Promise<HttpReply>;
  /** Reads a list with a key that no account has. @throws SpeechError without a complete reply */
  readAsStranger(path: string, stop: Stop): Promise<HttpReply>;
}

export const VOICES = '/v1/audio/voices';
const MODELS = '/v1/models';

/** The settings whose effect the examination explains. */
interface Examined {
  /** The model of requests without one. */
  model: string;
  hasKey: boolean;
  /** Seconds that an error may ask callers to wait. */
  maxRetryAfter: number;
}

/**
 * Reads the voices and the models of a service. A service that also answers to a wrong key has not checked the key.
 * @throws SpeechError if the service refuses the key, and tells nothing else
 */
export async function examine(lists: Lists, stop: Stop, examined: Examined): Promise<Examination> {
  const { model, hasKey, maxRetryAfter } = examined;
  // One after the other: some servers answer one request at a time.
  const voiceReply = await lists.read(VOICES, stop);
  const modelReply = await lists.read(MODELS, stop);
  const listsVoices = hasVoices(voiceReply);
  const models = modelsIn(modelReply);
  if (!listsVoices && modelReply.status === 401) throw refusalOf(modelReply, { hasKey }, maxRetryAfter);
  const listed = models === undefined ? (listsVoices ? VOICES : undefined) : MODELS;
  const isPage = [voiceReply, modelReply].some((reply) => typeOf(reply) === 'text/html');
  return {
    address: listed === undefined ? (isPage ? 'page' : 'unknown') : 'confirmed',
    listsVoices,
    isKeyChecked: hasKey && listed !== undefined && isRefused(await lists.readAsStranger(listed, stop)),
    model,
    models,
  };
}

const isRefused = ({ status }: HttpReply): boolean => status === 401 || status === 403;

const hasVoices = (reply: HttpReply): boolean => (readVoices(jsonIn(reply))?.size ?? 0) > 0;

/** Returns the content of a successful reply with JSON; undefined for any other. @throws SpeechError for incomplete JSON */
function jsonIn(reply: HttpReply): unknown {
  const { status, body } = reply;
  const isJson = status >= 200 && status < 300 && typeOf(reply).endsWith('json');
  return isJson ? parseJson(body.toString('utf8'), status) : undefined;
}

/** Returns the identifiers in a list of models; undefined if the reply is no such list. */
function modelsIn(reply: HttpReply): string[] | undefined {
  const list = fieldOf(jsonIn(reply), 'data');
  if (!Array.isArray(list)) return undefined;
  const ids = list.slice(0, MAX_MODELS).map((entry) => textOf(fieldOf(entry, 'id')).trim());
  const names = ids.filter((id) => id !== '' && id.length <= MAX_NAME);
  return names.length === 0 ? undefined : names;
}
