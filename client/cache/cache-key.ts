import { createHash } from 'node:crypto';
import { fieldDefaults, voiceSettings } from '../interface/models.js';

/** Part of each key. A new value makes all entries of former versions unreachable; they leave as least recently used. */
const VERSION = 'herald-audio-1';

/**
 * Returns the key of a request: 64 hexadecimal digits, a SHA-256 over the service and all fields that the request sends. The
 * order of fields has no effect, and a field with its documented default is equal to a missing field. The API key is not part
 * of a request.
 * @param service the identity of the service, such as its base URL
 */
export function cacheKey(service: string, request: Readonly<Record<string, unknown>>): string {
  const content = JSON.stringify([VERSION, service, inOrder(withoutDefaults(request))]);
  return createHash('sha256').update(content).digest('hex');
}

function withoutDefaults(request: Readonly<Record<string, unknown>>): object {
  const { voice_settings: settings, ...fields } = request;
  if (typeof settings !== 'object' || settings === null) return changed(request, fieldDefaults);
  const defaults = Object.entries(voiceSettings).map(([name, limits]) => [name, limits.default]);
  const others = changed(settings, Object.fromEntries(defaults));
  const isChanged = Object.keys(others).length > 0;
  return { ...changed(fields, fieldDefaults), ...(isChanged && { voice_settings: others }) };
}

/** Returns the fields that differ from their default. */
const changed = (fields: object, defaults: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !Object.hasOwn(defaults, name) || value !== defaults[name],
    ),
  );

/** Returns a value with the fields of all objects sorted by name. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, each]) => [name, inOrder(each)]));
}
