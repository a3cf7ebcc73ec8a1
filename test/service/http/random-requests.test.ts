import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { startTestService, type TestService } from '../../support/service/service.js';
import { INTERNAL } from './internal-details.js';

const SPEECH = '/v1/text-to-speech/slt';
const hello = JSON.stringify({ text: 'Hello.', language: 'en' });

describe('the service with random requests', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(async () => service.close());

  it('replies with the error bodies of the interface, and never with a 500', async () => {
    const word = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom('slt', 'en', 'clone-0', '..', '%2e', '%00'),
    );
    const path = fc.oneof(
      fc.constantFrom(SPEECH, `${SPEECH}/stream`, '/v1/predict-duration/rms', '/v1/usage', '/v1/voice-usage'),
      fc.constantFrom(
        '/v1/voices/search',
        '/v1/custom-voices',
        '/v1/credits',
        '/v1/custom-voices/cloned-voice',
      ),
      word.map((id) => `/v1/voices/${encodeURIComponent(id)}`),
      word.map((id) => `/v1/custom-voices/${encodeURIComponent(id)}`),
    );
    const fields = fc.constantFrom(
      'text',
      'language',
      'style',
      'model',
      'voice_settings',
      'name',
      'output_format',
    );
    const body = fc.oneof(
      fc.json(),
      fc.dictionary(fields, fc.jsonValue()).map((value) => JSON.stringify(value)),
      fc.constant(hello),
    );
    const query = fc.array(
      fc.tuple(fc.constantFrom('page_size', 'next_page_token', 'style', 'start_time'), word),
    );
    const type = fc.constantFrom('application/json', 'multipart/form-data; boundary=x', 'text/plain');
    const method = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT');
    const property = fc.asyncProperty(
      method,
      path,
      query,
      body,
      type,
      async (method, path, query, body, type) => {
        const search =
          query.length > 0
            ? `?${new URLSearchParams(query.map(([name, value]) => [name, value])).toString()}`
            : '';
        const hasBody = method === 'POST' || method === 'PATCH' || method === 'PUT';
        const headers = { 'x-sup-api-key': service.key, 'content-type': type };
        const reply = await fetch(service.url + path + search, { method, headers, ...(hasBody && { body }) });
        const text = await reply.text();
        assert.ok(reply.status !== 500, `${method} ${path}${search} ${body}: ${text}`);
        if (reply.status >= 400) assert.match(text, /^\{"status":"error","message":/);
        if (reply.status >= 400) assert.doesNotMatch(text, INTERNAL);
      },
    );
    await fc.assert(property, { numRuns: 150, seed: 20_260_101 });
  });
});
