import assert from 'node:assert/strict';
import path from 'node:path';
import { installStub } from '../support/natural/installed-stub.js';
import {
  type Flow,
  localAccount,
  type Message,
  speechNode,
  watchers,
  withFlow,
} from '../support/node-red/flow.js';
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

  /** The messages and the log of one flow: each flow starts a service, a speech process and a neural process. */
  let heard: Awaited<ReturnType<typeof hear>>;
  before(async () => {
    heard = await withFlow(
      [
        localAccount(),
        speechNode('text-to-speech', { voice_id: DEAD, language: 'de' }),
        speechNode('text-to-speech', {
          id: 'timed',
          voice_id: DEAD,
          language: 'de',
          include_phonemes: true,
          wires: [['timed-done'], [], [], []],
        }),
        ...watchers,
      ],
      hear,
    );
  });

  it('speaks with a simple voice: yellow status, a warning with the reason, and a line in the log', () => {
    const { voiceFallback, warnings, duration } = speechOf(heard.first);
    assert.equal(voiceFallback, 'de-anna');
    assert.match(
      String(warnings),
      /^the voice de_DE-dead-medium failed, so de-anna spoke: de_DE-dead-medium\.onnx: .*NaN/,
    );
    assert.equal(heard.status && Reflect.get(heard.status, 'fill'), 'yellow');
    assert.ok(Math.abs(inspectAudio(audioOf(heard.first)).duration - duration) < 0.01);
    assert.match(heard.log, /de_DE-dead-medium failed, so de-anna speaks/);
  });

  it('has captions and phoneme times of the audio that was spoken', () => {
    const { captions, phonemes, duration } = speechOf(heard.timed);
    const last = phonemes?.start_times_seconds.at(-1) ?? 0;
    assert.ok(last > duration - 1.5 && last < duration, `${last} of ${duration} s`);
    assert.match(captions, /Waschtag/);
  });

  it('tries the natural voice again with the next message: the cache has no audio of the simple voice', () => {
    for (const message of heard.repeated) {
      const { cached, warnings } = speechOf(message);
      assert.equal(cached, false);
      assert.match(String(warnings), /NaN/);
    }
  });
});

async function hear(flow: Flow) {
  flow.send('node', { payload: TEXT });
  const first = await flow.out('done');
  await until(() => /^Simple voice, \d+\.\d s$/.test(statusTexts(flow.received('status-of')).at(-1) ?? ''));
  const { status } = flow.received('status-of').at(-1) ?? {};
  await until(() => /de_DE-dead-medium failed, so de-anna speaks/.test(String(flow.logged())));
  const log = String(flow.logged());
  const repeated: Message[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    flow.send('node', { payload: 'Guten Abend.' });
    repeated.push(await flow.out('done'));
  }
  flow.send('timed', { payload: TEXT });
  return { first, status, log, repeated, timed: await flow.out('timed-done') };
}
