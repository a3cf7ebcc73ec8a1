import assert from 'node:assert/strict';
import { localAccount, speechNode, withFlow } from '../../support/node-red/flow.js';
import { errorOf } from '../../support/node-red/messages.js';

describe('the data folder of the local service', () => {
  const former = process.env['HERALD_DATA'];
  before(() => {
    delete process.env['HERALD_DATA'];
  });
  after(() => {
    if (former !== undefined) process.env['HERALD_DATA'] = former;
  });

  it('is missing without a user directory, and the message names both settings', () =>
    withFlow(
      [localAccount(), speechNode('text-to-speech')],
      async (flow) => {
        flow.send('node', { payload: 'Hello.' });
        const { code, message } = errorOf(await flow.out('fatal'));
        assert.equal(code, 'not-configured');
        assert.match(message, /userDir.*HERALD_DATA/);
      },
      { settings: { userDir: undefined } },
    ));
});
