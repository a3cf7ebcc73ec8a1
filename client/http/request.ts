import type FormData from 'form-data';
import { audioMimes, sniffAudio } from '../audio/join.js';
import { type Operation, pathFields } from '../interface/operation.js';
import { lazy } from '../lazy.js';

/** An HTTP request without the key. */
export interface HttpRequest {
  method: Operation['method'];
  /** Path and query, percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

/**
 * Builds the HTTP request for a checked request. Omits fields that the operation does not have; fields in the path are
 * not repeated in the body or query.
 */
export function toHttpRequest(operation: Operation, request: Record<string, unknown>): HttpRequest {
  const inPath = pathFields(operation.path);
  const path = inPath.reduce(
    (path, field) => path.replace(`{${field}}`, () => encodeURIComponent(String(request[field]))),
    operation.path as string,
  );
  const { shape } = operation.request;
  const rest = Object.entries(request).filter(
    ([field, value]) => value !== undefined && field in shape && !inPath.includes(field),
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

/** Only a clone needs form-data, which loads many modules. */
const formData = lazy((): typeof FormData => require('form-data'));

/** Encodes the fields in one buffer of known length; a stream could not be sent again. */
function multipart(fields: Fields): Pick<HttpRequest, 'headers' | 'body'> {
  const form = new (formData())();
  for (const [field, value] of fields) {
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
