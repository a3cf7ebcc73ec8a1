import type { Operation } from '@herald-speech/client/interface';
import { z } from 'zod';
import { binary, jsonContent, type Schema, toJson } from './openapi-schemas.js';
import { type ErrorStatus, plainStatuses, statusNames } from '../kit/errors.js';
import { APPROXIMATE_HEADER, FALLBACK_HEADER, LENGTH_HEADER, REASON_HEADER } from './speech/spoken-reply.js';

const audio = { 'audio/wav': binary, 'audio/mpeg': binary };
const seconds = { type: 'number', minimum: 0 };

const voiceHeaders = {
  [APPROXIMATE_HEADER]: {
    description: 'Present if the voice only approximates the sample of a custom voice.',
    schema: { const: 'true' },
  },
  [FALLBACK_HEADER]: {
    description: 'The simple voice that spoke, because the natural voice failed or had no audio in time.',
    schema: { type: 'string' },
  },
  [REASON_HEADER]: {
    description: 'Why the natural voice failed, percent-encoded.',
    schema: { type: 'string' },
  },
};

const wholeHeaders = {
  [LENGTH_HEADER]: {
    description: 'Seconds of audio, the amount charged.',
    required: true,
    schema: seconds,
  },
  ...voiceHeaders,
};

const streamHeaders = {
  'Cache-Control': { required: true, schema: { const: 'no-cache' } },
  'X-Content-Type-Options': { required: true, schema: { const: 'nosniff' } },
  Trailer: { required: true, schema: { const: LENGTH_HEADER } },
  [LENGTH_HEADER]: {
    description: 'Trailer: seconds of audio, the amount charged.',
    schema: seconds,
  },
  ...voiceHeaders,
};

/** Statuses that any operation can reply with (docs/interface.md#errors). */
const COMMON_FAILURES: readonly ErrorStatus[] = [401, 429, 500, 503];

/** Describes all replies of an operation by status. */
export function repliesOf(operation: Operation): Schema {
  const statuses = [...operation.failures, ...COMMON_FAILURES];
  const failures = Object.fromEntries(statuses.map((status) => [status, failure(status)]));
  return { ...successOf(operation), ...failures };
}

/** The schemas of the two error bodies (docs/interface.md#error-body). */
export const errorSchemas = {
  Error: errorSchema({ type: 'string' }),
  NamedError: errorSchema(
    objectOf({
      message: { type: 'string' },
      error: { enum: Object.values(statusNames) },
      statusCode: { type: 'integer' },
      status_code: { type: 'integer' },
    }),
  ),
};

function errorSchema(message: Schema): Schema {
  return objectOf({ status: { const: 'error' }, message });
}

/** Returns the schema of an object with these required properties. */
function objectOf(properties: Schema): Schema {
  return { type: 'object', required: Object.keys(properties), properties };
}

function successOf({ reply, streams, response }: Operation): Schema {
  if (reply === 'empty') return { 204: { description: 'Done.' } };
  if (reply === 'json') {
    return { 200: { description: 'Success.', content: jsonContent(toJson(response, 'output')) } };
  }
  return { 200: streams ? streamed(marksOf(response)) : whole(marksOf(response)) };
}

function marksOf(response: z.ZodType): Schema {
  const phonemes = response instanceof z.ZodObject ? response.shape['phonemes'] : undefined;
  return phonemes instanceof z.ZodType ? toJson(phonemes, 'output') : {};
}

function whole(phonemes: Schema): Schema {
  const spoken = objectOf({ audio_base64: { type: 'string' }, phonemes });
  const content = { ...audio, ...jsonContent(spoken) };
  return { description: 'Audio, or JSON with phonemes.', headers: wholeHeaders, content };
}

/** Describes a stream. Each line has either audio or phonemes (docs/interface.md#streams). */
function streamed(phonemes: Schema): Schema {
  const none = { type: 'null' };
  const schema = {
    description: 'One line.',
    oneOf: [
      objectOf({ audio_base64: { type: 'string' }, phonemes: none }),
      objectOf({ audio_base64: none, phonemes }),
    ],
  };
  const description = 'Audio in chunks, or lines of JSON with phonemes.';
  return { description, headers: streamHeaders, content: { ...audio, 'application/x-ndjson': { schema } } };
}

function failure(status: ErrorStatus): Schema {
  const name = plainStatuses.includes(status) ? 'Error' : 'NamedError';
  const wait = { 'Retry-After': { description: 'Seconds.', required: true, schema: { type: 'integer' } } };
  return {
    description: statusNames[status],
    ...((status === 429 || status === 503) && { headers: wait }),
    content: jsonContent({ $ref: `#/components/schemas/${name}` }),
  };
}
