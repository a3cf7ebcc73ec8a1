import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectAudio } from '@herald-speech/client';
import { installStub } from '../../support/natural/installed-stub.js';
import { startTestService } from '../../support/service/service.js';
import { REALISTIC_LAYERS } from '../../support/natural/stub-voice.js';

const NAME = 'de_DE-slow-high';

describe('an installed voice that computes for seconds', () => {
  it('gives way to a simple voice, although the only worker has started with it', async () => {
    const voices = await mkdtemp(path.join(os.tmpdir(), 'herald-voices-'));
    await installStub(voices, { name: NAME, sampleRate: 16_000, layers: 20 * REALISTIC_LAYERS });
    const service = await startTestService({ voices, simpleVoiceAfter: 500, speech: { size: 1 } });
    const text = 'Die Waschmaschine im Keller ist fertig und wartet auf jemanden, der sie leert.';
    const speak = (voice: string) =>
      service.send('POST', `/v1/text-to-speech/${voice}`, { text, language: 'de' });
    try {
      const reply = await speak(NAME);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('x-voice-fallback'), 'de-anna');
      const { sampleRate, duration } = inspectAudio(new Uint8Array(await reply.arrayBuffer()));
      assert.equal(sampleRate, 16_000);
      assert.ok(duration > 3);
      assert.equal((await speak('de-anna')).headers.get('x-voice-fallback'), null);
    } finally {
      await service.close();
      await rm(voices, { recursive: true });
    }
  });
});
