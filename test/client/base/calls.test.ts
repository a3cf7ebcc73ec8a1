import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { type Answers, answerCalls, Calls } from '../../../client/base/calls.js';

type Request = { kind: 'count'; to: number } | { kind: 'wait'; name: string } | { kind: 'fail' };
type Reply =
  | { kind: 'part'; value: number }
  | { kind: 'done'; value?: string }
  | { kind: 'failed'; message: string };

const KINDS = ['part', 'done', 'failed'] as const;
const LIMIT = 20;

/** Whether a port keeps the program alive. The types lack the method. */
const hasRef = (port: object): unknown =>
  'hasRef' in port && typeof port.hasRef === 'function' && port.hasRef();

describe('calls to another thread', () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  /** Returns calls to an answering side, the calls that wait there by name, and the names in the order of their cancels. */
  function connected(answer?: Answers<Request>['answer']) {
    const { port1, port2 } = new MessageChannel();
    const waiting = new Map<string, (value: string) => void>();
    const cancelled: string[] = [];
    const standard: Answers<Request>['answer'] = (request, signal, emit) => {
      if (request.kind === 'fail') throw new TypeError('no such thing');
      if (request.kind === 'count') {
        for (let value = 1; value <= request.to; value++) emit({ value });
        return {};
      }
      signal.addEventListener('abort', () => cancelled.push(request.name));
      return new Promise((resolve) => waiting.set(request.name, (value) => resolve({ value })));
    };
    answerCalls<Request>(port2, {
      kinds: ['count', 'wait', 'fail'],
      answer: answer ?? standard,
      failure: (error) => ({ message: String(error) }),
    });
    const calls = new Calls<Reply>(port1, {
      kinds: KINDS,
      ended: (how, cause) => new Error(`ended with ${how}`, { cause }),
      late: () => new RangeError('too late'),
    });
    const ask = (request: Request, options?: Parameters<typeof calls.ask>[1]) => calls.ask(request, options);
    close = () => port1.close();
    return { calls, ask, port1, port2, waiting, cancelled };
  }

  /** Resolves when the other side has received all earlier messages, and its replies have arrived. */
  const settled = (ask: (request: Request) => Promise<unknown>) => ask({ kind: 'count', to: 0 });

  it('gives each reply to its call, in any order', async () => {
    const { ask, waiting } = connected();
    const [first, second] = [ask({ kind: 'wait', name: 'first' }), ask({ kind: 'wait', name: 'second' })];
    await settled(ask);
    waiting.get('second')?.('2');
    waiting.get('first')?.('1');
    assert.deepEqual(
      (await Promise.all([first, second])).map((reply) => 'value' in reply && reply.value),
      ['1', '2'],
    );
  });

  it('passes the parts on in order, before the last reply', async () => {
    const { ask } = connected();
    const parts: number[] = [];
    const { kind } = await ask({ kind: 'count', to: 3 }, { onPart: ({ value }) => parts.push(value) });
    assert.deepEqual([kind, parts], ['done', [1, 2, 3]]);
  });

  it('returns the error of the other side as a reply, and takes further calls', async () => {
    const { ask } = connected();
    const reply = await ask({ kind: 'fail' });
    assert.equal(reply.kind === 'failed' && reply.message, 'TypeError: no such thing');
    assert.equal((await ask({ kind: 'count', to: 0 })).kind, 'done');
  });

  it('refuses a request of an unknown kind', async () => {
    const { calls } = connected();
    const reply = await calls.ask({ kind: 'sing' });
    assert.match(reply.kind === 'failed' ? reply.message : '', /expected the kind count or wait or fail/);
  });

  it('cancels a call on the other side, and waits for its reply', async () => {
    const { ask, waiting, cancelled } = connected();
    const controller = new AbortController();
    const asked = ask({ kind: 'wait', name: 'text' }, { signal: controller.signal });
    await settled(ask);
    controller.abort();
    await settled(ask);
    assert.deepEqual(cancelled, ['text']);
    waiting.get('text')?.('end');
    assert.equal((await asked).kind, 'done');
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  });

  it('passes no part on after a cancel', async () => {
    const { ask } = connected();
    const controller = new AbortController();
    const parts: number[] = [];
    const onPart = ({ value }: { value: number }) => {
      parts.push(value);
      controller.abort();
    };
    await ask({ kind: 'count', to: 3 }, { signal: controller.signal, onPart });
    assert.deepEqual(parts, [1]);
  });

  it('sends nothing for a signal that was aborted before', async () => {
    const { ask, waiting } = connected();
    const reason = new Error('stopped');
    await assert.rejects(ask({ kind: 'wait', name: 'text' }, { signal: AbortSignal.abort(reason) }), reason);
    await settled(ask);
    assert.equal(waiting.size, 0);
  });

  it('takes no more calls after a call exceeded its time limit, and ignores the late reply', async () => {
    const { calls, ask, waiting } = connected();
    await assert.rejects(ask({ kind: 'wait', name: 'text' }, { timeLimit: LIMIT }), /too late/);
    assert.equal(calls.isOpen, false);
    waiting.get('text')?.('late');
    await assert.rejects(ask({ kind: 'count', to: 0 }), /too late/);
  });

  it('lets the other calls end after an invalid reply, and takes no more calls', async () => {
    const { calls, ask, port2, waiting } = connected();
    const [bad, good] = [ask({ kind: 'wait', name: 'bad' }), ask({ kind: 'wait', name: 'good' })];
    await settled(ask);
    const end = assert.rejects(bad, /unexpected message: expected the kind part or done or failed/);
    port2.postMessage({ kind: 'nonsense', id: 1 });
    await end;
    assert.equal(calls.isOpen, false);
    waiting.get('good')?.('good');
    assert.equal((await good).kind, 'done');
  });

  it('rejects the calls in work when the channel closes, and cancels them on the other side', async () => {
    const { calls, ask, port1, port2, cancelled } = connected();
    const asked = ask({ kind: 'wait', name: 'text' });
    const end = assert.rejects(asked, /ended with its channel/);
    await settled(ask);
    const closed = once(port2, 'close');
    port1.close();
    await Promise.all([end, closed]);
    assert.deepEqual(cancelled, ['text']);
    assert.equal(calls.isOpen, false);
    await assert.rejects(ask({ kind: 'count', to: 0 }), /ended with its channel/);
  });

  it('goes on after a request that cannot be copied', async () => {
    const { calls, ask, port1 } = connected();
    await assert.rejects(calls.ask({ kind: 'wait', name: () => undefined }), { name: 'DataCloneError' });
    assert.equal(hasRef(port1), false);
    assert.equal((await ask({ kind: 'count', to: 0 })).kind, 'done');
  });

  it('reports a reply that cannot be copied as a failure of its call', async () => {
    const { ask } = connected(() => ({ value: () => undefined }));
    const reply = await ask({ kind: 'count', to: 0 });
    assert.match(reply.kind === 'failed' ? reply.message : '', /could not be cloned/);
  });

  it('keeps the program alive during a call only', async () => {
    const { ask, port1, waiting } = connected();
    assert.equal(hasRef(port1), false);
    const asked = ask({ kind: 'wait', name: 'text' });
    assert.equal(hasRef(port1), true);
    await settled(ask);
    assert.equal(hasRef(port1), true);
    waiting.get('text')?.('end');
    await asked;
    assert.equal(hasRef(port1), false);
  });
});
