import FormData from 'form-data';
import type { z } from 'zod';
import { audioMimes, sniffAudio } from '../audio/join.js';
import { describeIssues } from '../interface/describe-issues.js';
import { SpeechError } from '../errors.js';
import { type Operation, pathFields } from '../interface/operation.js';

/** A request as it goes over the wire, without the key. */
export interface WireRequest {
  method: Operation['method'];
  /** Path and query, percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

/**
 * Checks a request against its schema.
 * @throws SpeechError `bad-request`, naming each field, its value and what is allowed
 */
export function checkRequest<Schema extends z.ZodType>(schema: Schema, request: unknown): z.output<Schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new SpeechError('bad-request', describeIssues(parsed.error.issues, request));
}

/** A checked request in the shape of the wire: fields that the path names leave the body or query. */
export function toWire(operation: Operation, request: Record<string, unknown>): WireRequest {
  const inPath = pathFields(operation.path);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, field: string) =>
    encodeURIComponent(String(request[field])),
  );
  const rest = Object.entries(request).filter(
    ([field, value]) => value !== undefined && !inPath.includes(field),
  );
  const { method } = operation;
  if (operation.body === 'multipart') return { method, path, ...multipart(rest) };
  if (method === 'GET' || method === 'DELETE') {
    return { method, path: path + query(rest), headers: {}, body: null };
  }
  const headers = { 'content-type': 'application/json' };
  return { method, path, headers, body: JSON.stringify(Object.fromEntries(rest)) };
}

type Fields = readonly (readonly [string, unknown])[];

function query(fields: Fields): string {
  const pairs = fields.flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [field, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** The sample as one buffer of known length: a stream could not be sent a second time. */
function multipart(fields: Fields): Pick<WireRequest, 'headers' | 'body'> {
  const form = new FormData();
  for (const [field, value] of fields) {
    if (value instanceof Uint8Array) form.append(field, Buffer.from(value), asFile(value));
    else form.append(field, String(value));
  }
  return { headers: form.getHeaders(), body: form.getBuffer() };
}

/** The type that the sample has by its content; a service may go by the ending or by the part's type. */
function asFile(sample: Uint8Array): { filename: string; contentType: string } {
  const format = sniffAudio(sample) ?? 'wav';
  return { filename: `sample.${format}`, contentType: audioMimes[format] };
}
