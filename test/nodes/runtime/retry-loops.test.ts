import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Flow,
  type FlowNode,
  speechNode,
  watchers,
  withHostedFlow,
} from '../../support/node-red/flow.js';
import { errorOf, speechOf } from '../../support/node-red/messages.js';
import { refused, type Script, spoken } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';

/** Milliseconds that the service takes for a text. Long enough that messages of a loop meet each other. */
const SPEAKING_MS = 60;
/** Milliseconds that an ended loop must stay quiet, and milliseconds between two looks at it. */
const QUIET_MS = 1200;
const LOOK_MS = 20;

/** Speaks each text after a while. A request that the client closes early counts as not spoken. */
function slowService(spokenTexts: string[]): Script {
  return async ({ json, gone }) => {
    await sleep(SPEAKING_MS, undefined, { signal: gone }).catch(() => undefined);
    if (!gone.aborted) spokenTexts.push(String(json['text']));
    return spoken();
  };
}

const back = { retryable: [['done'], ['back'], ['fatal'], []], both: [['done'], ['back'], ['back'], []] };
const direct = (port: 1 | 2) => back[port === 1 ? 'retryable' : 'both'];

/** Passes messages back to the node: at once, or after a pause of 20 ms. */
const returns: Record<string, FlowNode> = {
  'without a delay': { id: 'back', type: 'function', func: 'return msg;', outputs: 1, wires: [['node']] },
  'with a delay': {
    id: 'back',
    type: 'delay',
    pauseType: 'delay',
    timeout: '20',
    timeoutUnits: 'milliseconds',
    wires: [['node']],
  },
};

const core = ['function/10-function.js', 'function/89-delay.js'];
const topicsAt = (flow: Flow, id: string) => flow.received(id).map(({ topic }) => String(topic));
const say = (flow: Flow, topic: string, more: object = {}) =>
  flow.send('node', { payload: `${topic}.`, topic, ...more });

/** Waits until no further message has come back for a while. Counts looks, because a busy machine stops the clock of the loop too. */
async function ended(arrivals: () => number): Promise<void> {
  assert.ok(await isQuiet(arrivals, 500), `the loop goes on: ${arrivals()} messages came back`);
}

/** Waits like `ended`, and returns false as soon as `most` messages have come back. */
async function isQuiet(arrivals: () => number, most: number): Promise<boolean> {
  let last = arrivals();
  for (let quiet = 0; quiet < QUIET_MS; quiet += LOOK_MS) {
    await sleep(LOOK_MS);
    if (arrivals() === last) continue;
    last = arrivals();
    quiet = 0;
    if (last >= most) return false;
  }
  return true;
}

/** Counts the messages that come back. */
function counted(flow: Flow): () => number {
  let count = 0;
  flow.node('back').on('input', () => (count += 1));
  return () => count;
}

/** A loop of the flow that has all combinations of queue mode, pause and outputs. Its nodes have its name in their ids. */
interface Loop {
  name: string;
  title: string;
  order: string;
  pause: string;
  port: 1 | 2;
}

const loops: readonly Loop[] = ['wait', 'replace', 'interrupt'].flatMap((order) =>
  Object.keys(returns).flatMap((pause) =>
    ([1, 2] as const).map((port) => {
      const output = port === 1 ? 'retryable' : 'retryable and fatal';
      const title = `from ${output} ${pause} ends in queue mode ${order}, and the newest message is spoken`;
      return { name: `${order}-${pause}-${port}`.replaceAll(' ', '-'), title, order, pause, port };
    }),
  ),
);

const nodesOf = ({ name, order, pause, port }: Loop): FlowNode[] => {
  const id = (node: string) => `${node}-${name}`;
  const wires = direct(port).map((ends) => ends.map(id));
  const way = returns[pause] ?? assert.fail();
  return [
    speechNode('text-to-speech', { id: id('node'), order, wires }),
    { ...way, id: id('back'), wires: [[id('node')]] },
  ];
};

/** The topics of the messages at the ends of one loop. */
interface Outcome {
  done: string[];
  fatal: string[];
  cameBack: string[];
}

/** Messages that may come back in one loop. A loop that ends needs a part of them. */
const MOST_PER_LOOP = 500;

/**
 * Sends four messages into each loop at the same time, and waits until the flow is quiet. An endless loop counts as quiet
 * after its first messages. The test of each loop checks its outcome.
 */
async function outcomesOf(flow: Flow): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const { name } of loops) {
    const outcome: Outcome = { done: [], fatal: [], cameBack: [] };
    outcomes.set(name, outcome);
    flow.node(`back-${name}`).on('input', ({ topic }) => outcome.cameBack.push(String(topic)));
  }
  for (const topic of ['one', 'two', 'three', 'four']) {
    for (const { name } of loops) flow.send(`node-${name}`, { payload: `${topic}.`, topic });
    await sleep(SPEAKING_MS / 3);
  }
  const events = () =>
    loops.reduce((sum, { name }) => {
      const back = outcomes.get(name)?.cameBack.length ?? 0;
      return sum + Math.min(back, MOST_PER_LOOP) + topicsAt(flow, `done-${name}`).length;
    }, 0);
  const areSpoken = () => loops.every(({ name }) => topicsAt(flow, `done-${name}`).includes('four'));
  await until(areSpoken).catch(() => undefined); // The test of a loop reports its missing message.
  await isQuiet(events, Infinity);
  for (const { name, port } of loops) {
    const outcome = outcomes.get(name) ?? assert.fail();
    outcome.done = topicsAt(flow, `done-${name}`);
    if (port === 1) outcome.fatal = topicsAt(flow, `fatal-${name}`);
  }
  assert.deepEqual(flow.received('caught'), []);
  return outcomes;
}

describe('a loop from an output back to a text to speech node', () => {
  let outcomes = new Map<string, Outcome>();
  before(async () => {
    const nodes = [...loops.flatMap(nodesOf), ...watchers.filter(({ type }) => type === 'catch')];
    outcomes = await withHostedFlow(slowService([]), nodes, outcomesOf, { core });
  });

  for (const { name, title, port } of loops) {
    it(title, () => {
      const { done, fatal, cameBack } = outcomes.get(name) ?? assert.fail();
      assert.ok(cameBack.length < MOST_PER_LOOP, `the loop goes on: ${cameBack.length} messages came back`);
      assert.ok(done.includes('four'));
      assert.equal(new Set(done).size, done.length);
      // Every message is either spoken or reported as superseded, once.
      const reported = port === 1 ? fatal : cameBack;
      const left = new Set([...done, ...reported]);
      assert.equal(done.length + reported.length, left.size);
      assert.deepEqual(left, new Set(['four', 'one', 'three', 'two']));
    });
  }

  it('speaks all messages in mode interrupt after the service has recovered', () => {
    const texts: string[] = [];
    const speaks = slowService(texts);
    const script: Script = (request, index) =>
      index < 6 ? refused(503, { 'retry-after': '200' }) : speaks(request, index);
    return withHostedFlow(
      script,
      [
        speechNode('text-to-speech', { order: 'interrupt', wires: back.retryable }),
        returns['without a delay'] ?? assert.fail(),
      ],
      async (flow) => {
        const arrivals = counted(flow);
        for (const topic of ['one', 'two', 'three']) {
          say(flow, topic);
          await sleep(SPEAKING_MS / 3);
        }
        await ended(arrivals);
        assert.ok(topicsAt(flow, 'done').includes('three'));
        assert.equal(topicsAt(flow, 'done').length + topicsAt(flow, 'fatal').length, 3);
      },
      { core },
    );
  });

  for (const port of [1, 2] as const) {
    it(`from ${port === 1 ? 'retryable' : 'retryable and fatal'} does not undo msg.reset`, () => {
      const texts: string[] = [];
      const stuck: Script = async ({ json, gone }) => {
        if (json['text'] !== 'after.') await once(gone, 'abort');
        else texts.push('after.');
        return spoken();
      };
      return withHostedFlow(
        stuck,
        [
          speechNode('text-to-speech', { wires: direct(port) }),
          returns['without a delay'] ?? assert.fail(),
          ...watchers,
        ],
        async (flow, { requests }) => {
          const arrivals = counted(flow);
          for (const topic of ['one', 'two', 'three']) say(flow, topic);
          await until(() => requests.length === 3);
          flow.send('node', { reset: true });
          await ended(arrivals);
          assert.equal(requests.length, 3);
          say(flow, 'after');
          assert.equal((await flow.out('done')).topic, 'after');
          assert.deepEqual(texts, ['after.']);
        },
        { core },
      );
    });
  }

  it('from fatal with a permanent error returns a message about once a second, and msg.reset ends it', () =>
    withHostedFlow(
      () => refused(400),
      [speechNode('text-to-speech', { wires: back.both }), returns['without a delay'] ?? assert.fail()],
      async (flow) => {
        const arrivals = counted(flow);
        say(flow, 'wrong');
        await until(() => arrivals() >= 2);
        await sleep(QUIET_MS);
        assert.ok(arrivals() < 10, `${arrivals()} messages came back`);
        flow.send('node', { reset: true });
        await ended(arrivals);
      },
      { core },
    ));

  it('speaks only the newest message in mode interrupt after the service has recovered', () => {
    const texts: string[] = [];
    const speaks = slowService(texts);
    let isDown = true;
    const script: Script = (request, index) => (isDown ? refused(503) : speaks(request, index));
    return withHostedFlow(
      script,
      [
        speechNode('text-to-speech', { order: 'interrupt', wires: back.retryable }),
        returns['with a delay'] ?? assert.fail(),
      ],
      async (flow) => {
        const arrivals = counted(flow);
        for (const topic of ['first', 'second', 'newest']) {
          const before = arrivals();
          say(flow, topic);
          await until(() => arrivals() > before);
        }
        isDown = false;
        await ended(arrivals);
        assert.deepEqual(topicsAt(flow, 'done'), ['newest']);
        assert.deepEqual(new Set(topicsAt(flow, 'fatal')), new Set(['first', 'second']));
        for (const message of flow.received('fatal')) assert.equal(errorOf(message).code, 'superseded');
        // A message that came back does not interrupt the playback of others.
        assert.equal(speechOf(await flow.out('done')).order, 'wait');
      },
      { core, account: { attempts: '1' } },
    );
  });

  it('keeps a message of higher priority than the newest one', () => {
    let isDown = true;
    return withHostedFlow(
      () => (isDown ? refused(503) : spoken()),
      [
        speechNode('text-to-speech', { order: 'interrupt', wires: back.retryable }),
        returns['with a delay'] ?? assert.fail(),
      ],
      async (flow) => {
        const arrivals = counted(flow);
        say(flow, 'fire', { priority: 1 });
        await until(() => arrivals() > 0);
        say(flow, 'weather');
        await until(() => arrivals() > 2);
        isDown = false;
        await ended(arrivals);
        assert.ok(topicsAt(flow, 'done').includes('fire'));
      },
      { core, account: { attempts: '1' } },
    );
  });

  it('does not delay other messages while failing messages go round', () =>
    withHostedFlow(
      ({ json }) => (String(json['text']).startsWith('wrong') ? refused(400) : spoken()),
      [speechNode('text-to-speech', { wires: back.both }), returns['without a delay'] ?? assert.fail()],
      async (flow) => {
        const arrivals = counted(flow);
        for (let index = 0; index < 10; index += 1) say(flow, `wrong ${index}`);
        await until(() => arrivals() >= 10);
        const before = arrivals();
        say(flow, 'healthy');
        assert.equal((await flow.out('done')).topic, 'healthy');
        assert.ok(arrivals() - before <= 10, `${arrivals() - before} messages went round meanwhile`);
        flow.send('node', { reset: true });
        await ended(arrivals);
      },
      { core },
    ));
});

describe('a message with msg.error', () => {
  const node = (more: object = {}) => speechNode('text-to-speech', more);
  const failed = {
    name: 'SpeechError',
    code: 'service-failed',
    route: 'retryable',
    message: 'failed',
    node: 'node',
    arrival: Number.MAX_SAFE_INTEGER,
  };
  /** `msg.error` as a Catch node sets it. */
  const caught = { message: 'failed', source: { id: 'node' }, cause: failed };

  for (const [source, error] of Object.entries({ 'an output': failed, 'a Catch node': caught })) {
    it(`of ${source} waits in mode interrupt`, () => {
      const texts: string[] = [];
      return withHostedFlow(slowService(texts), [node({ order: 'interrupt' })], async (flow) => {
        say(flow, 'one');
        await sleep(SPEAKING_MS / 3);
        say(flow, 'two', { error });
        await until(() => flow.received('done').length === 2);
        assert.deepEqual(topicsAt(flow, 'done'), ['one', 'two']);
      });
    });
  }

  it('of another node interrupts as a new message does', () => {
    // The service speaks the weather only until the node stops it.
    const script: Script = async ({ json, gone }) => {
      if (json['text'] === 'weather.') await once(gone, 'abort');
      return spoken();
    };
    return withHostedFlow(script, [node({ order: 'interrupt' })], async (flow, { requests }) => {
      say(flow, 'weather');
      await until(() => requests.length === 1);
      say(flow, 'alarm', { error: { message: 'no water', source: { id: 'pump' } } });
      assert.equal((await flow.out('done')).topic, 'alarm');
      assert.equal(errorOf(await flow.out('fatal')).code, 'superseded');
    });
  });

  it('of a message that another text to speech node stopped is spoken', () => {
    const texts: string[] = [];
    return withHostedFlow(slowService(texts), [node()], async (flow) => {
      say(flow, 'stopped', { error: { ...failed, node: 'other', code: 'aborted', route: 'stopped' } });
      assert.equal((await flow.out('done')).topic, 'stopped');
    });
  });

  it('of a stopped message completes without output', () => {
    const texts: string[] = [];
    return withHostedFlow(slowService(texts), [node(), ...watchers], async (flow) => {
      say(flow, 'stopped', { error: { ...failed, code: 'aborted', route: 'stopped' } });
      await flow.out('completed');
      say(flow, 'next');
      await flow.out('done');
      assert.deepEqual(texts, ['next.']);
    });
  });
});
