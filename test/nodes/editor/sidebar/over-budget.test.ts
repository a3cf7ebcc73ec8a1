import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import type { FlowNode } from '../../../support/node-red/node-red.js';
import { type Script, spoken, withServer } from '../../../support/net/scripted-server.js';
import { accountOf, nodeOf } from '../saved.js';

const TEXT = 'The budget ends.';

/** Predicts and charges three seconds for each text. */
const service: Script = ({ path }) => {
  if (path === '/v1/credits') return { body: { balance: 100 } };
  if (path.startsWith('/v1/predict-duration/')) return { body: { duration: 3 } };
  if (path.startsWith('/v1/voices')) return { body: { voice_id: 'anna', name: 'Anna', language: ['en'] } };
  return { ...spoken({ seconds: 3 }), headers: { 'content-type': 'audio/wav', 'x-audio-length': '3' } };
};

const flowsAt = (url: string): FlowNode[] => {
  const hosted = { service: 'hosted', url, cache: false, voice_id: 'anna', credentials: { apiKey: 'key' } };
  const limited = { id: 'limited', name: 'cloud', budgetPerMonth: '4', fallback: 'account:reserve' };
  return [
    { id: 'tab', type: 'tab', label: 'Speech' },
    accountOf({ ...hosted, ...limited }),
    accountOf({ ...hosted, id: 'reserve', name: 'Reserve', fallback: 'none' }),
    { ...nodeOf('speak', 'text-to-speech', 1), account: 'limited', voice_id: 'anna', language: 'en' },
    {
      id: 'press',
      type: 'inject',
      z: 'tab',
      x: 100,
      y: 80,
      props: [{ p: 'payload' }],
      payload: TEXT,
      payloadType: 'str',
      wires: [['speak']],
    },
  ];
};

describeInBrowser('the sidebar tab "Speech" above a budget', () => {
  const { nodeRed, editor } = useSharedEditor([
    { id: 'tab', type: 'tab', label: 'Speech' },
    { id: 'note', type: 'comment', z: 'tab', x: 100, y: 100, wires: [] },
  ]);

  it('says "over budget" beside the fallback, and why in the warnings, and beside the use of the account', () =>
    withServer(service, async ({ url }) => {
      await nodeRed().deploy(flowsAt(url));
      await editor().page.evaluate('RED.nodes.version(null)');
      await editor().loadFlows();
      await editor().page.evaluate(`RED.actions.invoke('herald-speech:show-speech-tab')`);
      const tab = editor().page.locator('.herald-activity');
      const done = tab.locator('[data-state=done]', { hasText: TEXT });
      await nodeRed().inject('press');
      await done.first().waitFor();
      assert.doesNotMatch((await done.first().textContent()) ?? '', /budget per|over budget/i);
      await nodeRed().inject('press');
      await done.nth(1).waitFor();
      const [facts, warnings] = await Promise.all([
        done.first().locator('.herald-activity-facts').textContent(),
        done.first().locator('.herald-activity-warnings > li').allTextContents(),
      ]);
      assert.match(facts ?? '', /fallback: Reserve · over budget$/);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /^Budget per month: 3 of 4 seconds are used this month/);
      const cloud = tab.locator('.herald-activity-account', { hasText: 'cloud' });
      await cloud.getByText(/this month: 3 of 4\u00a0s · over budget$/).waitFor();
      assert.deepEqual(editor().problems, []);
    }));
});
