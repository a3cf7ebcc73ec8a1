import type FormData from 'form-data';
import { audioMimes, sniffAudio } from '../audio/join.js';
import type { Operation } from '../interface/operation.js';
import { lazy } from '../base/lazy.js';

/** An HTTP request without the key. */
export interface HttpRequest {
  method: Operation['method'];
  /** Path and query, percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

/**
 * Builds the HTTP request for a checked request. Omits fields that the operation does not have, unless its schema passes
 * unknown fields on. Fields in the path are not repeated in the body or query.
 */
export function toHttpRequest(operation: Operation, request: Record<string, unknown>): HttpRequest {
  const fields: Record<string, unknown> = {};
  const { shape, def } = operation.request;
  // A loose schema accepts any further field, and has a rule for these fields.
  for (const field of Object.keys(def.catchall === undefined ? shape : request)) {
    if (request[field] !== undefined && !operation.path.includes(`{${field}}`))
      fields[field] = request[field];
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, field: string) =>
    encodeURIComponent(String(request[field])),
  );
  const { method } = operation;
  if (operation.body === 'multipart') return { method, path, ...multipart(fields) };
  if (method === 'GET' || method === 'DELETE') {
    return { method, path: path + query(fields), headers: {}, body: null };
  }
  const headers = { 'content-type': 'application/json' };
  return { method, path, headers, body: JSON.stringify(fields) };
}

function query(fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [field, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** Only a clone needs form-data, which loads many modules. */
const formData = lazy((): typeof FormData => require('form-data'));

/** Encodes the fields in one buffer of known length; a stream could not be sent again. */
function multipart(fields: Record<string, unknown>): Pick<HttpRequest, 'headers' | 'body'> {
  const form = new (formData())();
  for (const [field, value] of Object.entries(fields)) {
    if (value instanceof Uint8Array) form.append(field, Buffer.from(value), fileOf(value));
    else form.append(field, String(value));
  }
  return { headers: form.getHeaders(), body: form.getBuffer() };
}

/** Name and media type of the sample by its content. A service may read either of them. */
function fileOf(sample: Uint8Array): { filename: string; contentType: string } {
  const format = sniffAudio(sample) ?? 'wav';
  return { filename: `sample.${format}`, contentType: audioMimes[format] };
}
