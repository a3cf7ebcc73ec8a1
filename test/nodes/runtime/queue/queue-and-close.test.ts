import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { MAX_WAITING } from '../../../../nodes/runtime/queue/queue.js';
import {
  type Flow,
  type FlowNode,
  hostedAccount,
  speechNode,
  watchers,
  withHostedFlow,
} from '../../../support/node-red/flow.js';
import { errorOf, statusTexts } from '../../../support/node-red/messages.js';
import { refused, type Scripted, type Seen, spoken } from '../../../support/net/scripted-server.js';
import { until } from '../../../support/waiting.js';

const node = speechNode('text-to-speech');
const TEN = Array.from({ length: 10 }, (_, index) => index);
const longText = 'This is one of many sentences that are spoken one after the other. '.repeat(20);

const sendTen = (flow: Flow, payload = 'Hello.') => {
  for (const topic of TEN) flow.send('node', { payload, topic });
};
const topicsAt = (flow: Flow, id: string) => flow.received(id).map(({ topic }) => topic);

/** A service that replies only after `open`. */
function gated(): { script: (request: Seen) => Promise<Scripted>; open: () => void } {
  const opened = new AbortController();
  return {
    open: () => opened.abort(),
    script: async ({ gone }) => {
      if (!opened.signal.aborted) await once(AbortSignal.any([opened.signal, gone]), 'abort');
      return spoken();
    },
  };
}

describe('the queue of a node', () => {
  it('keeps the order of the messages', () =>
    withHostedFlow(
      async (_request, index) => {
        await sleep(index % 2 === 0 ? 15 : 0);
        return spoken();
      },
      [node],
      async (flow) => {
        sendTen(flow);
        for (const topic of TEN) assert.equal((await flow.out('done')).topic, topic);
      },
    ));

  it('keeps the order if some messages fail', () =>
    withHostedFlow(
      (_request, index) => (index % 3 === 1 ? refused(400) : spoken()),
      [speechNode('text-to-speech', { wires: [['all'], ['all'], ['all'], ['all']] })],
      async (flow) => {
        sendTen(flow);
        for (const topic of TEN) assert.equal((await flow.out('all')).topic, topic);
      },
    ));

  it('shows its length in the status, and the seconds of the last audio at the end', () => {
    const { script, open } = gated();
    return withHostedFlow(script, [node, ...watchers], async (flow) => {
      const texts = () => statusTexts(flow.received('status-of'));
      for (const topic of TEN.slice(0, 4)) flow.send('node', { payload: 'Hello.', topic });
      await until(() => texts().includes('Speaking +3'));
      open();
      await until(() => flow.received('done').length === 4);
      await until(() => /^Done, [\d.]+ s$/.test(texts().at(-1) ?? ''));
    });
  });

  it(`sends a message to retryable as busy if ${MAX_WAITING} messages are queued`, () => {
    const { script } = gated();
    return withHostedFlow(script, [node], async (flow) => {
      for (let index = 0; index <= MAX_WAITING; index += 1) flow.send('node', { payload: 'Hello.' });
      flow.send('node', { payload: 'Hello.', topic: 'one too many' });
      const message = await flow.out('retryable');
      assert.equal(message.topic, 'one too many');
      assert.equal(errorOf(message).code, 'busy');
    });
  });
});

describe('the status of a node', () => {
  const texts = (flow: Flow) => statusTexts(flow.received('status-of'));

  it('shows the current chunk of a long text', () =>
    withHostedFlow(
      () => spoken(),
      [node, ...watchers],
      async (flow) => {
        flow.send('node', { payload: longText });
        await flow.out('done');
        await until(() => /^Done, [\d.]+ s$/.test(texts(flow).at(-1) ?? ''));
        assert.deepEqual(
          ['Queued', 'Speaking 1/6', 'Speaking 2/6', 'Speaking 6/6'].filter(
            (text) => !texts(flow).includes(text),
          ),
          [],
        );
      },
    ));

  it('shows the seconds of a pause', () =>
    withHostedFlow(
      (_request, index) => (index === 0 ? refused(429, { 'retry-after': '1' }) : spoken()),
      [node, ...watchers],
      async (flow) => {
        flow.send('node', { payload: 'Hello.' });
        await flow.out('done');
        assert.ok(texts(flow).includes('Waiting 1 s'));
      },
    ));

  it('shows that the account is out of credits', () =>
    withHostedFlow(
      () => refused(402),
      [node, ...watchers],
      async (flow) => {
        flow.send('node', { payload: 'Hello.' });
        await flow.out('no-credits');
        await until(() => texts(flow).at(-1) === 'No credits');
      },
    ));
});

describe('a node that closes', () => {
  it('closes after its last message has left', () => {
    const { script } = gated();
    return withHostedFlow(script, [node], async (flow, { requests }) => {
      sendTen(flow);
      await until(() => requests.length > 0);
      await flow.node('node').close(false);
      // Node-RED delivers sent messages in the next turn of the event loop. A later message would miss this turn.
      await nextTurn();
      assert.deepEqual(topicsAt(flow, 'fatal'), TEN);
    });
  });

  it('sends a message that arrives during the close to fatal', () => {
    const { script } = gated();
    return withHostedFlow(script, [node], async (flow, { requests }) => {
      flow.send('node', { payload: 'Hello.' });
      await until(() => requests.length > 0);
      const closed = flow.node('node').close(false);
      flow.send('node', { payload: 'Hello.', topic: 'late' });
      await closed;
      await flow.out('fatal');
      const late = await flow.out('fatal');
      assert.deepEqual([late.topic, errorOf(late).code], ['late', 'aborted']);
    });
  });
});

describe('a deploy with ten queued texts', () => {
  const wired = speechNode('text-to-speech', { wires: [['done'], ['retryable'], ['fatal'], ['no-credits']] });
  const unwired = speechNode('text-to-speech', { wires: [['done'], ['retryable'], [], []] });

  /** Deploys a change of the node after three of ten texts are spoken. */
  const deployAmidst = (speech: FlowNode, work: (flow: Flow) => Promise<void>, type?: 'full') => {
    let answered = 0;
    let deployed = false;
    return withHostedFlow(
      async ({ gone }) => {
        answered += 1;
        if (answered > 15 && !deployed) await once(gone, 'abort');
        return spoken();
      },
      [speech, ...watchers],
      async (flow, { url }) => {
        sendTen(flow, longText);
        await until(() => answered > 15);
        await flow.deploy([hostedAccount(url), { ...speech, name: 'changed' }, ...watchers], type);
        deployed = true;
        await work(flow);
      },
    );
  };

  it('sends each message once and in order, the unfinished ones to fatal', () =>
    deployAmidst(wired, async (flow) => {
      await until(() => flow.received('done').length + flow.received('fatal').length >= TEN.length);
      assert.deepEqual([...topicsAt(flow, 'done'), ...topicsAt(flow, 'fatal')], TEN);
      assert.deepEqual(flow.received('caught'), []);
      const stopped = flow.received('fatal').map((message) => errorOf(message).code);
      assert.deepEqual([...new Set(stopped)], ['aborted']);
    }));

  it('reports the unfinished messages only in one line of the log if fatal has no wire', () =>
    deployAmidst(unwired, async (flow) => {
      flow.send('node', { payload: 'Hello.', topic: 'after' });
      await until(() => topicsAt(flow, 'done').at(-1) === 'after');
      for (const id of ['caught', 'retryable']) assert.deepEqual(flow.received(id), []);
      assert.equal(flow.logged().filter((line) => line.includes('unfinished messages')).length, 1);
    }));

  for (const type of [undefined, 'full'] as const) {
    it(`logs the number of unfinished messages, not that they leave, and starts a node that speaks (${type ?? 'changed nodes'})`, () =>
      deployAmidst(
        wired,
        async (flow) => {
          const spokenBefore = flow.received('done').length;
          assert.match(
            flow.logged().join(),
            new RegExp(`unfinished messages: ${TEN.length - spokenBefore}\\b`),
          );
          assert.doesNotMatch(flow.logged().join(), /leave as failed/);
          flow.send('node', { payload: 'Hello.', topic: 'after' });
          await until(() => topicsAt(flow, 'done').at(-1) === 'after');
        },
        type,
      ));
  }
});
