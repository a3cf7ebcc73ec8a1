import assert from 'node:assert/strict';
import { activityOf } from '../../../nodes/runtime/activity/activity.js';
import { speechNode, withFlow } from '../../support/node-red/flow.js';
import { speechOf } from '../../support/node-red/messages.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { tableOf, withPrompts } from '../../support/node-red/prompts.js';
import { spoken } from '../../support/net/scripted-server.js';

describe('the record of a text to speech node', () => {
  useDataFolder();

  it('shows no charge for the local service, because its speech is free', () =>
    withFlow([speechNode('text-to-speech', { account: '' })], async (flow) => {
      const { revision } = await activityOf(flow.RED).view(0);
      flow.send('node', { payload: 'Dinner is ready.' });
      const { chargedSeconds } = speechOf(await flow.out('done'));
      assert.ok(Number(chargedSeconds) > 0);
      const { changed } = await activityOf(flow.RED).view(revision);
      assert.deepEqual(
        changed.map(({ announcement: { state, charged } }) => ({ state, charged })),
        [{ state: 'done', charged: 0 }],
      );
    }));
});

describe('the record of a prompts node', () => {
  it('has one announcement per table, with the folder and the number of its rows', () =>
    withPrompts(
      () => spoken({ seconds: 0.5 }),
      async ({ run, flow, folder }) => {
        const { revision } = await activityOf(flow.RED).view(0);
        await run(tableOf('One.', 'Two.', 'Three.'));
        const { changed } = await activityOf(flow.RED).view(revision);
        assert.deepEqual(
          changed.map(({ announcement: { text, state, progress } }) => ({ text, state, progress })),
          [{ text: folder, state: 'done', progress: { done: 3, count: 3 } }],
        );
      },
    ));
});
