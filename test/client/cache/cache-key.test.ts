import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cacheKey } from '../../../client/cache/cache-key.js';

const service = 'http://service';
const request = {
  voice_id: 'v1',
  text: 'Dinner is ready.',
  language: 'en',
  style: 'happy',
  model: 'm1',
  output_format: 'mp3',
  include_phonemes: true,
  normalized_text: 'dinner is ready',
  voice_settings: { speed: 1.2, pitch_shift: 1, duration: 9 },
  new_field: 'new',
};

describe('cacheKey', () => {
  it('differs if the service or any field or setting of the request differs', () => {
    const changed = Object.keys(request).map((name) => ({ ...request, [name]: 'other' }));
    const without = Object.keys(request).map((name) => ({ ...request, [name]: undefined }));
    const settings = Object.keys(request.voice_settings).map((name) => ({
      ...request,
      voice_settings: { ...request.voice_settings, [name]: 0.5 },
    }));
    const keys = [request, ...changed, ...without, ...settings].map((each) => cacheKey(service, each));
    keys.push(cacheKey('http://other', request));
    assert.equal(new Set(keys).size, keys.length);
  });

  it('is a SHA-256 and does not depend on the order of fields', () => {
    const reversed = Object.fromEntries(Object.entries(request).toReversed());
    assert.match(cacheKey(service, request), /^[0-9a-f]{64}$/);
    assert.equal(cacheKey(service, reversed), cacheKey(service, request));
  });

  it('is equal for a blank field and for its documented default', () => {
    const blank = { text: 'Dinner is ready.', language: 'en', voice_settings: { speed: 1.5 } };
    const key = cacheKey(service, blank);
    assert.equal(cacheKey(service, { ...blank, output_format: 'wav', include_phonemes: false }), key);
    const settings = { ...blank.voice_settings, pitch_shift: 0, duration: 0, similarity: 3 };
    assert.equal(cacheKey(service, { ...blank, voice_settings: settings }), key);
    const { voice_settings: _, ...plain } = blank;
    for (const same of [{}, { speed: 1 }]) {
      assert.equal(cacheKey(service, { ...plain, voice_settings: same }), cacheKey(service, plain));
    }
    assert.notEqual(cacheKey(service, plain), key);
  });

  it('is equal exactly for requests that are sent as the same JSON value', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(value, value, (one, other) => {
        const [first, second]: unknown[] = [one, other].map((each) => JSON.parse(JSON.stringify(each)));
        let isEqual = true;
        try {
          assert.deepEqual(first, second);
        } catch {
          isEqual = false;
        }
        assert.equal(cacheKey(service, one) === cacheKey(service, other), isEqual);
      }),
    );
  });
});
