import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectAudio } from '@herald-speech/client';
import { type Flow, speechNode, watchers, withHostedFlow } from '../../support/node-red/flow.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { errorOf, statusTexts } from '../../support/node-red/messages.js';
import { refused, type Script, spoken } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';

const node = (more: object = {}) => speechNode('text-to-speech', more);
const topicsAt = (flow: Flow, id: string) => flow.received(id).map(({ topic }) => topic);
const send = (flow: Flow, topic: string, more: object = {}) =>
  flow.send('node', { payload: `${topic}.`, topic, ...more });

/** A service that counts its requests at a time. Each text takes its own number of milliseconds. */
function counting(milliseconds: (text: string) => number): { script: Script; most: () => number } {
  let [running, most] = [0, 0];
  return {
    most: () => most,
    script: async ({ json }) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(milliseconds(String(json['text'])));
      running -= 1;
      return spoken();
    },
  };
}

const letters = 'a b c d e f g h i j k l'.split(' ');

describe('a text to speech node with several messages', () => {
  for (const [parallel, expected] of Object.entries({ '': 4, 1: 1, 3: 3 })) {
    it(`works on ${expected} at a time if "parallel" is "${parallel}", and keeps their order`, () => {
      const { script, most } = counting((text) => (text.charCodeAt(0) % 3) * 20 + 10);
      return withHostedFlow(script, [node({ parallel, parallelType: 'num' })], async (flow) => {
        for (const letter of letters) send(flow, letter);
        await until(() => flow.received('done').length === letters.length);
        assert.deepEqual(topicsAt(flow, 'done'), letters);
        assert.equal(most(), expected);
      });
    });
  }

  it('reads the number from an environment variable, not from a message', () => {
    process.env['HERALD_TEST_PARALLEL'] = '2';
    const { script, most } = counting(() => 20);
    const saved = { parallel: 'HERALD_TEST_PARALLEL', parallelType: 'env' };
    return withHostedFlow(script, [node(saved)], async (flow) => {
      for (const letter of letters) send(flow, letter, { parallel: 12 });
      await until(() => flow.received('done').length === letters.length);
      assert.equal(most(), 2);
    }).finally(() => delete process.env['HERALD_TEST_PARALLEL']);
  });

  for (const parallel of ['0', '-1', '2.5', '33']) {
    it(`sends messages to fatal if "parallel" is ${parallel}, with the name of the property`, () =>
      withHostedFlow(
        () => spoken(),
        [node({ parallel, parallelType: 'num' })],
        async (flow) => {
          send(flow, 'a');
          assert.match(errorOf(await flow.out('fatal')).message, /parallel/);
        },
      ));
  }

  it('keeps the order while the first message is retried, and requests the next ones meanwhile', () => {
    let isFirst = true;
    const script: Script = ({ json }) => {
      if (json['text'] !== 'slow.' || !isFirst) return spoken();
      isFirst = false;
      return refused(503);
    };
    return withHostedFlow(
      script,
      [node({ retry_attempts: '2' })],
      async (flow, { requests }) => {
        for (const topic of ['slow', 'b', 'c', 'd', 'e']) send(flow, topic);
        await until(() => requests.length >= 4);
        assert.deepEqual(flow.received('done'), []);
        await until(() => flow.received('done').length === 5);
        assert.deepEqual(topicsAt(flow, 'done'), ['slow', 'b', 'c', 'd', 'e']);
      },
      { account: { attempts: '1' } },
    );
  });

  it('shows the first message and the number of those behind it', () => {
    const { script } = counting((text) => (text.startsWith('long') ? 100 : 5));
    return withHostedFlow(script, [node(), ...watchers], async (flow) => {
      send(flow, 'long');
      for (const letter of ['b', 'c', 'd']) send(flow, letter);
      await until(() => flow.received('done').length === 4);
      const texts = statusTexts(flow.received('status-of'));
      assert.ok(texts.includes('Speaking +3'));
      await until(() => statusTexts(flow.received('status-of')).at(-1)?.startsWith('Done') === true);
    });
  });

  it('stops finished messages that wait for the current one, with msg.reset, in their order', () => {
    const { script } = counting((text) => (text.startsWith('long') ? 2000 : 5));
    return withHostedFlow(script, [node()], async (flow, { requests }) => {
      send(flow, 'long');
      for (const letter of ['b', 'c', 'd']) send(flow, letter);
      await until(() => requests.length === 4);
      await sleep(50);
      flow.send('node', { reset: true });
      await until(() => flow.received('fatal').length === 4);
      assert.deepEqual(topicsAt(flow, 'fatal'), ['long', 'b', 'c', 'd']);
      assert.deepEqual(flow.received('done'), []);
    });
  });
});

describe('the files of several messages', () => {
  const folder = useDataFolder();
  const filename = () => path.join(folder(), 'x.wav');

  it('appear in the order of the messages: the last message writes last, also if it is faster', () => {
    const script: Script = async ({ json }) => {
      const isSlow = json['text'] === 'slow.';
      await sleep(isSlow ? 200 : 1);
      return spoken({ seconds: isSlow ? 1 : 2 });
    };
    return withHostedFlow(script, [node({ output: 'file', filename: filename() })], async (flow) => {
      for (const topic of ['slow', 'fast']) send(flow, topic);
      await until(() => flow.received('done').length === 2);
      assert.deepEqual(topicsAt(flow, 'done'), ['slow', 'fast']);
      assert.equal(inspectAudio(await readFile(filename())).duration, 2);
    });
  });

  it('do not contain the audio of a replaced message', () => {
    const replaced = new AbortController();
    const script: Script = async ({ json }) => {
      if (json['text'] === 'long.') await once(replaced.signal, 'abort');
      return spoken();
    };
    return withHostedFlow(script, [node({ output: 'file' })], async (flow, { requests }) => {
      const later = path.join(folder(), 'later.wav');
      send(flow, 'long', { filename: filename() });
      send(flow, 'b', { filename: later });
      await until(() => requests.length === 2);
      await sleep(100);
      send(flow, 'c', { filename: filename(), order: 'replace' });
      await until(() => flow.received('fatal').length === 1);
      replaced.abort();
      await until(() => flow.received('done').length === 2);
      assert.deepEqual(topicsAt(flow, 'fatal'), ['b']);
      const names = await readdir(folder());
      assert.deepEqual(
        names.filter((name) => name === 'later.wav' || name.endsWith('.part')),
        [],
      );
    });
  });
});
