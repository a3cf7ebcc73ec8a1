import { codeOfStatus, type FailureCode, SpeechError } from '../../base/errors.js';
import { type Text, text } from '../../base/messages.js';
import { truncated } from '../../base/short-texts.js';
import { fieldOf } from '../../base/values.js';
import type { HttpReply } from '../../http/exchange.js';
import { MAX_ERROR_TEXT, refusalText } from '../../http/refusal.js';
import { abridgedText } from '../../interface/describe-issues.js';
import { waitIn } from './limits.js';

/** The parts of a refused request that its error names. */
export interface Refused {
  /** Undefined for a request without a voice. */
  voice?: unknown;
  model?: unknown;
  /** Whether the request had a key. */
  hasKey: boolean;
}

/** An error of a service, from any shape of body. A missing part is ''. */
export interface ServiceError {
  message: string;
  /** In lower case. */
  code: string;
  type: string;
  /** The field that the error blames. */
  param: string;
}

type Failure = readonly [FailureCode, Text];

/** Returns the error of a reply outside 200 to 299. The service's own text is in `service`. */
export function refusalOf(reply: HttpReply, refused: Refused, maxRetryAfter: number): SpeechError {
  const { status, headers } = reply;
  const error = readError(reply.body);
  const service = error.message === '' ? undefined : error.message;
  const [code, message] = failureOf(status, error, refused) ?? [
    codeOfStatus(status),
    refusalText(status, service),
  ];
  return new SpeechError(code, message, { status, service, retryAfter: waitIn(headers, maxRetryAfter) });
}

/** Codes and types of an account that must be paid before it works again. Waiting does not help. */
const QUOTA: readonly string[] = ['insufficient_quota', 'billing_hard_limit_reached'];

/** Returns the failure that the body tells, which a status alone does not. */
function failureOf(status: number, error: ServiceError, refused: Refused): Failure | undefined {
  const { code, type } = error;
  if (status < 400) return undefined;
  if (QUOTA.includes(code) || QUOTA.includes(type))
    return ['out-of-credits', text('openai-quota', { status })];
  if (status === 401 && !refused.hasKey) return ['unauthorized', text('openai-key')];
  if (status === 503) return unavailable(code, refused);
  if (status === 405 || status === 404 || status === 400 || status === 422)
    return missing(status, error, refused);
  return undefined;
}

/** A service that cannot speak until its owner acts. A repeated request would fail in the same way. */
function unavailable(code: string, { voice }: Refused): Failure | undefined {
  if (code === 'no_default_voice') return ['not-found', text('openai-no-default', voiceValues(voice))];
  if (code === 'offline' || code === 'voice_not_ready')
    return ['not-found', text('openai-offline', voiceValues(voice))];
  return undefined;
}

function missing(status: number, error: ServiceError, { voice, model }: Refused): Failure | undefined {
  const lacks = lackingPart(status, error);
  if (lacks === 'voice' && voice !== undefined)
    return ['not-found', text('voice-unknown', voiceValues(voice))];
  if (lacks === 'model' && model !== undefined)
    return ['not-found', text('openai-model', { field: 'model', model: abridgedText(model) })];
  const isWrongAddress = status === 404 || status === 405;
  return isWrongAddress ? ['not-found', text('openai-address', { status })] : undefined;
}

const voiceValues = (voice: unknown) => ({ field: 'voice_id', voice: abridgedText(voice) });

/** Words of a service that does not know a value. */
const UNKNOWN = /\b(?:not found|not exist|unknown|no such|not available|unsupported)\b/i;
const PART = /\b(voice|model)\b/i;

/** Returns whether an error is about the voice or the model: by its field, its code, or its text. */
function lackingPart(status: number, { message, code, param }: ServiceError): string | undefined {
  if (param === 'voice' || code.includes('voice')) return 'voice';
  if (param === 'model' || code.includes('model')) return 'model';
  if (status !== 404 && !UNKNOWN.test(message)) return undefined;
  return PART.exec(message)?.[1]?.toLowerCase();
}

/** Bytes of an error that are parsed. Parsed JSON can take 50 times the memory of its text. */
const MAX_ERROR_BYTES = 100_000;

/** Reads an error in any of the shapes of compatible services. Any other body, such as HTML, has no parts. */
export function readError(body: Buffer): ServiceError {
  const blank = { message: '', code: '', type: '', param: '' };
  if (body.length > MAX_ERROR_BYTES) return blank;
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return { ...blank, ...errorIn(parsed) };
  } catch {
    return blank;
  }
}

/** Fields that contain the error, in the order of the shapes: OpenAI's, FastAPI's, and a plain message. */
const CONTAINERS = ['error', 'detail', 'message'] as const;

/** Levels of nested errors that are read. */
const MAX_DEPTH = 3;

function errorIn(value: unknown, depth = 0): Partial<ServiceError> {
  if (typeof value === 'string') return { message: truncated(value, MAX_ERROR_TEXT) };
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return {};
  if (Array.isArray(value)) return errorIn(value[0], depth + 1);
  const own = partsOf(value);
  for (const name of CONTAINERS) {
    const inner = fieldOf(value, name);
    // A short word beside a message is a code, as in {"error": "validation_error", "message": "..."}.
    if (typeof inner === 'string' && name === 'error' && own.message !== undefined) {
      return { code: inner.toLowerCase(), ...own };
    }
    if (inner !== undefined && inner !== null) return { ...own, ...errorIn(inner, depth + 1) };
  }
  return own;
}

/** Returns the parts of an error in an object. FastAPI names the field in `loc` and the problem in `msg`. */
function partsOf(value: object): Partial<ServiceError> {
  const word = (name: string): string | undefined => {
    const found = fieldOf(value, name);
    return typeof found === 'string' ? truncated(found, MAX_ERROR_TEXT) : undefined;
  };
  const place = fieldOf(value, 'loc');
  const last: unknown = Array.isArray(place) ? place.at(-1) : undefined;
  const parts = {
    message: word('message') ?? word('msg'),
    code: word('code')?.toLowerCase(),
    type: word('type')?.toLowerCase(),
    param: word('param') ?? (typeof last === 'string' ? last : undefined),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}
