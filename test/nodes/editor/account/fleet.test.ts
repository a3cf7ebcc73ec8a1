import assert from 'node:assert/strict';
import { isShared, redisOf } from '../../../../nodes/account/membership/fleet-settings.js';
import { fleetUrlProblem } from '../../../../nodes/editor/account/account-values.js';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { KEY } from '../../../support/node-red/flow.js';
import { type RedisServer, withRedis } from '../../../support/programs/redis.js';
import { type ScriptedServer, withServer } from '../../../support/net/scripted-server.js';
import { goodService } from '../../admin/asking.js';
import { accountOf, nodeOf } from '../saved.js';

const VALID = [
  'redis://redis.example.com',
  'rediss://127.0.0.1:6380/2',
  ' redis://[::1]:6379/ ',
  'REDIS://host',
];
const INVALID = {
  'redis.example.com:6379': 'fleetUrl.scheme',
  'http://redis.example.com': 'fleetUrl.scheme',
  'redis://': 'fleetUrl.unreadable',
  'redis://:secret@redis.example.com': 'fleetUrl.secret',
  'redis://user@redis.example.com': 'fleetUrl.secret',
  'redis://redis.example.com/queue': 'fleetUrl.database',
  'redis://redis.example.com/?family=6': 'fleetUrl.database',
};
const PASSWORD = 'redis-password-of-a-test';

describe('Redis URL check', () => {
  it('accepts exactly the URLs that the runtime accepts', () => {
    // The runtime reads only its TLS configuration from Node-RED, which these accounts do not have.
    const accepts = (fleetUrl: string) => {
      try {
        return redisOf(Object.create(null), { fleetUrl }, {}).url !== '';
      } catch {
        return false;
      }
    };
    for (const url of VALID) assert.deepEqual([fleetUrlProblem(url), accepts(url)], [undefined, true], url);
    for (const [url, problem] of Object.entries(INVALID))
      assert.deepEqual([fleetUrlProblem(url), accepts(url)], [problem, false], url);
  });

  it('accepts a blank URL, with which an account shares nothing', () => {
    assert.equal(fleetUrlProblem(' '), undefined);
    assert.equal(isShared({ fleetUrl: ' ' }), false);
    assert.equal(isShared({}), false);
  });
});

describeInBrowser(
  'the section about Redis of an account',
  () => {
    const { editor, nodeRed, show } = useSharedEditor([
      { id: 'tab', type: 'tab', label: 'Speech' },
      nodeOf('tts', 'text-to-speech', 0),
      accountOf({ service: 'hosted', url: 'http://127.0.0.1:9' }),
    ]);
    const field = (name: string) => editor().page.locator(`#node-config-input-${name}`);
    const fold = () => editor().page.locator('[data-fold=fleet]');
    const result = (text: string) =>
      editor().page.locator('#herald-test-result', { hasText: text }).waitFor();
    const openSection = async () => {
      await editor().open('account');
      if ((await fold().getAttribute('open')) === null) await fold().locator('summary').click();
    };

    it('refuses a password in the URL and names the fields for it, hides the size of the cache in Redis if the members share a folder, summarizes the settings, and is hidden for the local service', async () => {
      await openSection();
      await field('fleetUrl').fill(`redis://:${PASSWORD}@127.0.0.1:6379`);
      await editor().page.getByText('Enter them under “User” and “Password”').waitFor();
      await field('fleetUrl').fill('redis://redis.example.com:6379');
      await field('fleetCache').selectOption('folder');
      await field('fleetCacheSize').waitFor({ state: 'hidden' });
      const summary = await fold().locator('.herald-summary').textContent();
      assert.match(summary ?? '', /redis\.example\.com:6379.*In the cache folder/);
      await field('service').selectOption('local');
      await fold().waitFor({ state: 'hidden' });
      await editor().cancel();
    });

    it('saves user and password as credentials, which flows do not contain', async () => {
      await openSection();
      await field('fleetUrl').fill('redis://127.0.0.1:9');
      await field('fleetUser').fill('herald');
      await field('fleetPassword').fill(PASSWORD);
      await editor().done();
      await editor().deploy();
      const flows = JSON.stringify(await nodeRed().flows());
      assert.ok(flows.includes('redis://127.0.0.1:9'));
      assert.ok(!flows.includes(PASSWORD) && !flows.includes('fleetUser'));
    });

    const withBoth = (work: (redis: RedisServer, server: ScriptedServer) => Promise<void>) =>
      withRedis((redis) => withServer(goodService, (server) => work(redis, server)), {
        config: { requirepass: PASSWORD },
        cli: ['-a', PASSWORD],
      });

    it('reports version, latency and members of Redis, or the fault', () =>
      withBoth(async (redis, server) => {
        await show([
          { id: 'tab', type: 'tab', label: 'Speech' },
          nodeOf('tts', 'text-to-speech', 0),
          accountOf({ service: 'hosted', url: server.url }),
        ]);
        await openSection();
        await field('apiKey').fill(KEY);
        await field('fleetUrl').fill(redis.url);
        // Node-RED keeps the credentials of an earlier deploy.
        await field('fleetUser').fill('');
        await field('fleetPassword').fill('wrong');
        await editor().page.locator('#herald-test').click();
        await result('Redis does not accept the user name or password');
        const lines = editor().page.locator('#herald-test-result > p');
        assert.match((await lines.first().textContent()) ?? '', /accepts the key/);
        const wrong = await lines.and(editor().page.locator('[data-state=wrong]')).allTextContents();
        assert.deepEqual(wrong, ['Redis does not accept the user name or password: enter valid ones.']);
        const colors = await lines.evaluateAll((all) => all.map((line) => getComputedStyle(line).color));
        assert.equal(colors.filter((color) => color === colors.at(-1)).length, 1);
        await field('fleetPassword').fill(PASSWORD);
        await editor().page.locator('#herald-test').click();
        await result('Redis 7');
        await result('latency');
        await editor().done();
        await editor().deploy();
        await openSection();
        await editor().page.locator('#herald-test').click();
        await result('connected members: 1');
        await field('fleetUrl').fill('redis://127.0.0.1:9');
        await editor().page.locator('#herald-test').click();
        await result('the stored Redis password is sent only to the deployed address');
        await editor().cancel();
      }));
  },
  ['redis-server'],
);
