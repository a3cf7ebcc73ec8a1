import assert from 'node:assert/strict';
import { speakerFor, typedSpeaker } from '../../../../nodes/admin/speakers/typed-speaker.js';
import { type FlowNode, withFlow } from '../../../support/node-red/flow.js';
import { speakerNode } from '../../speakers/speaking-flow.js';

const values = {
  kind: 'mpd',
  address: '127.0.0.1:9',
  max_volume: '${HERALD_TEST_VOLUME}',
  wake_up: '${HERALD_TEST_WAKE_UP}',
};
const kitchen = speakerNode('kitchen', values);

/** Returns the numbers of a test sound with the values of the dialog. */
const numbersWith = (nodes: FlowNode[], more: object = {}) =>
  withFlow(nodes, async ({ RED }) => {
    const { maxVolume, wakeUp } = speakerFor(RED, typedSpeaker().parse({ ...kitchen, ...more }));
    return [maxVolume, wakeUp];
  });

describe('a test sound on a speaker whose numbers environment variables set', () => {
  before(() => {
    process.env['HERALD_TEST_VOLUME'] = '40';
    process.env['HERALD_TEST_WAKE_UP'] = '1.5';
  });
  after(() => {
    delete process.env['HERALD_TEST_VOLUME'];
    delete process.env['HERALD_TEST_WAKE_UP'];
  });

  it('has the numbers of the deployed speaker, also at a new address', async () => {
    assert.deepEqual(await numbersWith([kitchen]), [40, 1.5]);
    assert.deepEqual(await numbersWith([kitchen], { address: '127.0.0.1:10' }), [40, 1.5]);
  });

  it('has a typed number in place of a deployed one', async () =>
    assert.deepEqual(await numbersWith([kitchen], { max_volume: '20', wake_up: '' }), [20, 0]));

  it('has the defaults before the first deploy, and if the deployed numbers are wrong', async () => {
    assert.deepEqual(await numbersWith([]), [100, 0]);
    assert.deepEqual(await numbersWith([{ ...kitchen, wake_up: '${HERALD_TEST_VOLUME}' }]), [100, 0]);
  });
});
