import assert from 'node:assert/strict';
import { type Flow, localAccount, speechNode, withFlow, withHostedFlow } from '../support/node-red/flow.js';
import { shareLocalService } from '../support/service/local-service.js';

describe('credits', () => {
  const balanceOf = (balance: number | null, properties: object, work: (flow: Flow) => Promise<void>) =>
    withHostedFlow(() => ({ body: { balance } }), [speechNode('credits', properties)], work);

  const cases: [balance: number | null, threshold: string | undefined, low: boolean][] = [
    [10, '60', true],
    [59.9, undefined, true],
    [60, '60', false],
    [0, '0', false],
    [10_000, undefined, false],
    [null, '60', false],
  ];
  for (const [balance, threshold, low] of cases) {
    it(`reports a balance of ${balance} as ${low ? 'low' : 'not low'} (threshold: ${threshold ?? 'default'})`, () =>
      balanceOf(balance, threshold === undefined ? {} : { threshold }, async (flow) => {
        flow.send('node', {});
        const { payload, speech } = await flow.out('done');
        assert.deepEqual({ payload, speech }, { payload: balance, speech: { low } });
      }));
  }

  it('reads the threshold from the message', () =>
    balanceOf(10, { threshold: 'least', thresholdType: 'msg' }, async (flow) => {
      flow.send('node', { least: 5 });
      assert.deepEqual((await flow.out('done'))['speech'], { low: false });
    }));
});

describe('credits with the local service', () => {
  shareLocalService();

  it('reports the balance null, which is not low', () =>
    withFlow([localAccount(), speechNode('credits')], async (flow) => {
      flow.send('node', {});
      const { payload, speech } = await flow.out('done');
      assert.deepEqual({ payload, speech }, { payload: null, speech: { low: false } });
    }));
});
