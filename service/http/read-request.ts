import type { IncomingMessage } from 'node:http';
import { describeIssues, type Operation, pathFields } from '@herald-speech/client/interface';
import type { Context } from 'hono';
import { safeParse, type z } from 'zod';
import { readBody } from './read-body.js';
import { readMultipart } from './read-multipart.js';
import { ServiceError } from '../kit/errors.js';

/**
 * Maximum bytes of a JSON body. A valid body has about 20 KB at most, with a text of 300 characters. A longer body is a
 * 400, like every text that is too long (docs/interface.md#local-service).
 */
export const MAX_JSON_BYTES = 65_536;

/**
 * Reads and validates the fields of a request: path, and then query, JSON body or form (docs/interface.md#requests).
 * @param incoming Node's object of the same request; its body is read in pieces, so that it cannot exceed its limit
 * @throws ServiceError 400 for an invalid request; 413 or 415 for a file
 */
export async function readRequest<Request extends z.ZodObject>(
  operation: Operation<Request>,
  context: Context,
  incoming: IncomingMessage,
): Promise<z.output<Request>> {
  const fields = await readFields(operation, context, incoming);
  const inPath = pathFields(operation.path).map((field) => [field, context.req.param(field)]);
  const input = { ...fields, ...Object.fromEntries(inPath) };
  const parsed = operation.request.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new ServiceError(400, describeIssues(parsed.error.issues, input));
}

async function readFields(
  { method, body, request }: Operation,
  context: Context,
  incoming: IncomingMessage,
): Promise<object> {
  if (method === 'GET' || method === 'DELETE') return readQuery(request, context.req.queries());
  return body === 'multipart' ? readMultipart(incoming) : readJson(incoming);
}

/** Converts the texts of a query: each field becomes a text, a number or a list, whichever its schema accepts first. */
function readQuery(schema: z.ZodObject, queries: Record<string, string[]>): object {
  const known = Object.entries(queries).filter(([field]) => Object.hasOwn(schema.shape, field));
  return Object.fromEntries(known.map(([field, words]) => [field, readWords(schema, field, words)]));
}

function readWords(schema: z.ZodObject, field: string, words: string[]): unknown {
  const [word] = words;
  const readings = words.length > 1 ? [words] : [word, asNumber(word), words];
  const type: z.core.$ZodType | undefined = schema.shape[field];
  const allowed = readings.find((reading) => type !== undefined && safeParse(type, reading).success);
  return allowed ?? asNumber(word);
}

function asNumber(word: string | undefined): unknown {
  return word === undefined || word.trim() === '' || Number.isNaN(Number(word)) ? word : Number(word);
}

/** Reads a JSON object. @throws ServiceError 400 */
export async function readJson(incoming: IncomingMessage): Promise<object> {
  const type = incoming.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ServiceError(400, `content-type is ${type ?? 'missing'}: expected application/json`);
  }
  const tooLong = new ServiceError(
    400,
    `the body is longer than ${MAX_JSON_BYTES} bytes: send a shorter text`,
  );
  const body = parseJson((await readBody(incoming, MAX_JSON_BYTES, tooLong)).toString('utf8'));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ServiceError(400, 'the body is not a JSON object: put the fields between { and }');
  }
  return body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError(400, 'the body is not valid JSON: check its syntax and length', { cause: error });
  }
}
