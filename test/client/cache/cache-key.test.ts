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
  output_format: 'wav',
  include_phonemes: false,
  normalized_text: 'dinner is ready',
  voice_settings: { speed: 1, pitch_shift: 0, duration: 0 },
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
