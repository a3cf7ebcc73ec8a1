import assert from 'node:assert/strict';
import { inspectAudio, z } from '@herald-speech/client';
import { startTestService, type TestService } from '../../support/service/service.js';
import { runPython } from '../support/python.js';

const TEXT = 'The coffee is ready. The train leaves at ten past nine.';

const spoken = z.object({
  steps: z.array(z.string()),
  title: z.string().nullable(),
  errors: z.unknown(),
  engine: z.string(),
  voices: z.array(z.string()),
  extension: z.string(),
  audio: z.base64().transform((text) => Buffer.from(text, 'base64')),
});

describe('Home Assistant Core 2024.3', function () {
  this.timeout(240_000);
  let service: TestService;
  before(async () => {
    service = await startTestService({ wyoming: { host: '127.0.0.1', port: 0, account: 'local' } });
  });
  after(() => service.close());

  it('adds the service in the dialog of the Wyoming integration, offers its voices and speaks with it', async () => {
    const { hostname: host, port } = new URL(service.wyomingUrl ?? '');
    const wanted = { host, port: Number(port), text: TEXT, language: 'en' };
    const reply = await runPython(['home-assistant', 'speak.py'], wanted, spoken);
    assert.deepEqual(reply.steps, ['form', 'create_entry'], JSON.stringify(reply.errors));
    assert.ok(reply.voices.includes('rms'), reply.voices.join());
    const { duration } = inspectAudio(new Uint8Array(reply.audio));
    assert.ok(duration > 2 && duration < 8, `${duration} s of ${reply.extension}`);
  });
});
