import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cacheKey } from '../../../../client/cache/cache-key.js';
import type { SpeechRequest } from '../../../../client/interface/operations.js';
import { withoutUnsupported } from '../../../../client/upstreams/features.js';
import { upstreamOf } from '../../../../client/upstreams/list.js';
import { clientDefaults } from '../../../../client/api/options.js';

const kind = upstreamOf({ kind: 'wyoming' });
const upstreamAt = (url: string) =>
  kind.create(kind.addressOf({ url, apiKey: '' }), { settings: clientDefaults, network: {} });

/** Returns the key of a request as a client of a server at `url` sends it. */
const keyOf = (url: string, request: SpeechRequest): string => {
  const { identity, features } = upstreamAt(url);
  return cacheKey(identity, withoutUnsupported(features, request));
};

const word = fc.stringMatching(/^[a-z0-9_-]{1,12}$/);
const host = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/);
const port = fc.integer({ min: 1, max: 65_535 });
const spoken = fc.record({
  voice_id: fc.oneof(
    word,
    fc.tuple(word, word).map(([name, speaker]) => `${name}#${speaker}`),
  ),
  text: fc.string({ minLength: 1, maxLength: 60 }),
  language: fc.constantFrom('en', 'de', 'fr', 'ja', 'ko'),
});
/** Settings that a Wyoming server does not follow. */
const dropped = fc.record(
  {
    style: word,
    model: word,
    include_phonemes: fc.constant(true),
    normalized_text: word,
    voice_settings: fc.record({ speed: fc.double({ min: 0.5, max: 2, noNaN: true }) }),
  },
  { requiredKeys: [] },
);

describe('the cache key of a Wyoming server', () => {
  it('differs for 10,000 pairs that differ in the address, the voice, the text or the language', () => {
    const field = fc.constantFrom('host', 'port', 'voice_id', 'text', 'language');
    const whole = fc.record({ host, port, request: spoken });
    fc.assert(
      fc.property(whole, whole, field, dropped, (one, other, name, settings) => {
        const changed = { ...one, request: { ...one.request, ...settings } };
        if (name === 'host') changed.host = other.host;
        else if (name === 'port') changed.port = other.port;
        else changed.request = { ...changed.request, [name]: other.request[name] };
        const isSame =
          one.host === changed.host &&
          one.port === changed.port &&
          (['voice_id', 'text', 'language'] as const).every(
            (each) => one.request[each] === changed.request[each],
          );
        const first = keyOf(`${one.host}:${one.port}`, one.request);
        assert.equal(first === keyOf(`${changed.host}:${changed.port}`, changed.request), isSame);
      }),
      { numRuns: 10_000 },
    );
  });

  it('is equal for the same address in another spelling, and different for another kind of service', () => {
    const request = { voice_id: 'v1', text: 'Hello', language: 'en' };
    const key = keyOf('speech.local', request);
    for (const same of ['tcp://speech.local:10200', 'SPEECH.local', ' speech.local/ '])
      assert.equal(keyOf(same, request), key);
    const hosted = upstreamOf({ kind: 'hosted' });
    const { identity } = hosted.create(
      { url: 'http://speech.local:10200', apiKey: 'k' },
      { settings: clientDefaults, network: {} },
    );
    assert.notEqual(cacheKey(identity, request), key);
  });
});
