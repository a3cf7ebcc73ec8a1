import assert from 'node:assert/strict';
import path from 'node:path';
import { installStub } from '../support/natural/installed-stub.js';
import { type Flow, localAccount, speechNode, watchers, withFlow } from '../support/node-red/flow.js';
import { audioOf, speechOf, statusTexts } from '../support/node-red/messages.js';
import { useDataFolder } from '../support/service/local-service.js';
import { until } from '../support/waiting.js';
import { inspectAudio } from '@herald-speech/client';

const DEAD = 'de_DE-dead-medium';
const TEXT = 'Die Waschmaschine ist fertig. Bitte leere sie noch heute Abend, denn morgen ist Waschtag.';

describe('text to speech with a natural voice that fails', () => {
  const data = useDataFolder();
  before(async () => {
    await installStub(path.join(data(), 'voices'), { name: DEAD, fault: 'nan' });
  });

  const speaking = (work: (flow: Flow) => Promise<void>, more: object = {}) =>
    withFlow(
      [
        localAccount(),
        speechNode('text-to-speech', { voice_id: DEAD, language: 'de', ...more }),
        ...watchers,
      ],
      work,
    );

  it('speaks with a simple voice: yellow status, a warning with the reason, and a line in the log', () =>
    speaking(async (flow) => {
      flow.send('node', { payload: TEXT });
      const message = await flow.out('done');
      const { voiceFallback, warnings, duration } = speechOf(message);
      assert.equal(voiceFallback, 'de-anna');
      assert.match(
        String(warnings),
        /^the voice de_DE-dead-medium failed, so de-anna spoke: de_DE-dead-medium\.onnx: .*NaN/,
      );
      await until(() =>
        /^Simple voice, \d+\.\d s$/.test(statusTexts(flow.received('status-of')).at(-1) ?? ''),
      );
      const { status } = flow.received('status-of').at(-1) ?? {};
      assert.equal(status && Reflect.get(status, 'fill'), 'yellow');
      assert.ok(Math.abs(inspectAudio(audioOf(message)).duration - duration) < 0.01);
      await until(() => /de_DE-dead-medium failed, so de-anna speaks/.test(String(flow.logged())));
    }));

  it('has captions and phoneme times of the audio that was spoken', () =>
    speaking(
      async (flow) => {
        flow.send('node', { payload: TEXT });
        const { captions, phonemes, duration } = speechOf(await flow.out('done'));
        const last = phonemes?.start_times_seconds.at(-1) ?? 0;
        assert.ok(last > duration - 1.5 && last < duration, `${last} of ${duration} s`);
        assert.match(captions, /Waschtag/);
      },
      { include_phonemes: true },
    ));

  it('tries the natural voice again with the next message: the cache has no audio of the simple voice', () =>
    speaking(async (flow) => {
      for (let turn = 0; turn < 2; turn += 1) {
        flow.send('node', { payload: 'Guten Abend.' });
        const { cached, warnings } = speechOf(await flow.out('done'));
        assert.equal(cached, false);
        assert.match(String(warnings), /NaN/);
      }
    }));
});
