import { createHash } from 'node:crypto';

/** Part of each key. A new value makes all entries of former versions unreachable; they leave as least recently used. */
const VERSION = 'herald-audio-1';

/**
 * Returns the key of a request: 64 hexadecimal digits, a SHA-256 over the service and all fields that the request sends. The
 * order of fields has no effect. The API key is not part of a request.
 * @param service the identity of the service, such as its base URL
 */
export function cacheKey(service: string, request: Readonly<Record<string, unknown>>): string {
  const content = JSON.stringify([VERSION, service, request], inOrder);
  return createHash('sha256').update(content).digest('hex');
}

/** A replacer for `JSON.stringify` that sorts the fields of objects by name. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
