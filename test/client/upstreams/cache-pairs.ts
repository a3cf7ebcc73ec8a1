import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { settingsOf } from '../../../client/api/options.js';
import { cacheKey } from '../../../client/cache/cache-key.js';
import type { SpeechRequest } from '../../../client/interface/operations.js';
import { type UpstreamChoice, upstreamOf } from '../../../client/upstreams/list.js';

/** A request, its account, and everything that decides the audio. */
interface Setting {
  url: string;
  choice: UpstreamChoice;
  request: SpeechRequest;
}

/** The settings of an upstream, each with values that occur. The first part of a name is `url`, `choice` or `request`. */
export type Values = Readonly<Record<string, readonly unknown[]>>;

export interface CachedUpstream {
  kind: UpstreamChoice['kind'];
  values: Values;
  /** Returns everything that the service gets, as JSON. */
  sent(setting: Setting): unknown;
}

/** The values of the fields that each upstream has. */
export const commonValues: Values = {
  'request.voice_id': ['nova', 'echo', 'Nova', 'nova,echo'],
  'request.text': ['Hello.', 'Hello', 'hello.', 'Hello. ', 'Bye.', 'Hello"],["', 'é', 'e\u0301'],
  'request.language': ['en', 'de', 'ja'],
};

/** Pairs of one check. */
const PAIRS = 4000;

/**
 * Checks random pairs of settings that differ in one value: if the cache has one key for both, the service gets the same for both.
 * @returns the number of pairs with different requests, and of those with one key
 */
export function checkPairs(upstream: CachedUpstream): { different: number; alike: number } {
  const counts = { different: 0, alike: 0 };
  const property = fc.property(pairsOf(upstream.values), ([one, other]) => {
    const [first, second] = [settingOf(upstream, one), settingOf(upstream, other)];
    const isSame = keyOf(first) === keyOf(second);
    const requests = [upstream.sent(first), upstream.sent(second)].map((sent) => JSON.stringify(sent));
    if (isSame) counts.alike += 1;
    if (requests[0] !== requests[1]) counts.different += 1;
    if (isSame) assert.equal(requests[0], requests[1], 'a false hit');
  });
  fc.assert(property, { numRuns: PAIRS });
  return counts;
}

type Chosen = Readonly<Record<string, unknown>>;

/** Generates settings, and the same ones with another value of one of them. */
const pairsOf = (values: Values): fc.Arbitrary<readonly [Chosen, Chosen]> =>
  fc.record(mapped(values, (each) => fc.constantFrom(...each))).chain((one) =>
    fc.constantFrom(...Object.keys(values)).chain((name) => {
      const others = (values[name] ?? []).filter((value) => value !== one[name]);
      return fc.constantFrom(...others).map((value) => [one, { ...one, [name]: value }] as const);
    }),
  );

const mapped = <Result>(values: Values, map: (each: readonly unknown[]) => Result): Record<string, Result> =>
  Object.fromEntries(Object.entries(values).map(([name, each]) => [name, map(each)]));

/** Puts each value to the place in its name. A value of undefined is left out. */
function settingOf({ kind }: CachedUpstream, chosen: Chosen): Setting {
  const setting = { url: 'http://127.0.0.1', choice: { kind }, request: {} };
  for (const [name, value] of Object.entries(chosen)) if (value !== undefined) put(setting, name, value);
  return setting as Setting;
}

function put(object: object, name: string, value: unknown): void {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) return void Reflect.set(object, first, value);
  const inner: unknown = Reflect.get(object, first) ?? {};
  assert.ok(typeof inner === 'object' && inner !== null);
  put(inner, rest.join('.'), value);
  Reflect.set(object, first, inner);
}

function keyOf({ url, choice, request }: Setting): string {
  const kind = upstreamOf(choice);
  const address = kind.addressOf({ url, apiKey: 'sk-1' });
  const settings = settingsOf({ ...address, requestsPerMinute: 60 }, kind.defaults);
  return cacheKey(kind.create(address, { settings, network: {} }).identity, request);
}
