import assert from 'node:assert/strict';
import { limitDefaults, limitsOf } from '../../../nodes/account/limits.js';
import { speechNode, withHostedFlow } from '../../support/node-red/flow.js';
import { errorOf, speechOf } from '../../support/node-red/messages.js';
import { refused, type Scripted, spoken } from '../../support/net/scripted-server.js';

const node = speechNode('text-to-speech');

describe('the limits of an account', () => {
  it('are the defaults of the client in a new account and in one saved before', () => {
    for (const saved of [limitDefaults, {}]) assert.deepEqual(limitsOf(saved), { replaceHash: true });
  });

  it('are converted from texts, with times in milliseconds', () => {
    const saved = { attempts: '2', connectTimeout: '0.5', totalTimeout: ' 30 ', maxRetryAfter: 60 };
    assert.deepEqual(limitsOf({ ...saved, replaceHash: false }), {
      attempts: 2,
      connectTimeout: 500,
      totalTimeout: 30_000,
      maxRetryAfter: 60,
      replaceHash: false,
    });
  });

  it('set the attempts of a request', () =>
    withHostedFlow(
      () => refused(503),
      [node],
      async (flow, { requests }) => {
        flow.send('node', { payload: 'Hello.' });
        assert.equal(errorOf(await flow.out('retryable')).attempts, 1);
        assert.equal(requests.length, 1);
      },
      { account: { attempts: '1' } },
    ));

  it('set the parallel requests of a long text', () => {
    let open = 0;
    let most = 0;
    const script = async (): Promise<Scripted> => {
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      return spoken();
    };
    return withHostedFlow(
      script,
      [node],
      async (flow) => {
        flow.send('node', { payload: 'This is one of many sentences of a long text. '.repeat(30) });
        assert.ok(speechOf(await flow.out('done')).chunks.length > 3);
        assert.equal(most, 1);
      },
      { account: { concurrency: '1' } },
    );
  });

  for (const [replaceHash, text] of [
    [true, 'Room  5.'],
    [false, 'Room #5.'],
  ] as const) {
    it(`${replaceHash ? 'replace' : 'keep'} "#" if replaceHash is ${replaceHash}`, () =>
      withHostedFlow(
        () => spoken(),
        [node],
        async (flow, { requests }) => {
          flow.send('node', { payload: 'Room #5.' });
          await flow.out('done');
          assert.equal(requests[0]?.json['text'], text);
        },
        { account: { replaceHash } },
      ));
  }

  for (const [limit, value, says] of [
    ['attempts', 'many', /^attempts is "many": /],
    ['concurrency', '0', /^concurrency is 0: /],
    ['connectTimeout', 'soon', /^connectTimeout is "soon": /],
    ['totalTimeout', '-1', /^totalTimeout is -1: /],
    ['firstByteTimeout', '9999999', /^firstByteTimeout is 9999999: .*2147483$/],
    ['clonesPerMinute', '1.5', /^clonesPerMinute is 1\.5: /],
  ] as const) {
    it(`are rejected on fatal with the name of the limit: ${limit} ${value}`, () =>
      withHostedFlow(
        () => spoken(),
        [node],
        async (flow, { requests }) => {
          flow.send('node', { payload: 'Hello.' });
          const { code, message } = errorOf(await flow.out('fatal'));
          assert.equal(code, 'not-configured');
          assert.match(message, says);
          assert.equal(requests.length, 0);
        },
        { account: { [limit]: value } },
      ));
  }
});
