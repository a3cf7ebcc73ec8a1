import assert from 'node:assert/strict';
import { activityOf } from '../../../nodes/runtime/activity/activity.js';
import { tableOf, withPrompts } from '../../support/node-red/prompts.js';
import { spoken } from '../../support/net/scripted-server.js';

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
