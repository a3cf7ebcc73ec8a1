import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';
import type { FlowNode } from '../../support/node-red/node-red.js';
import { goodService } from '../admin/asking.js';
import { type ScriptedServer, withServer } from '../../support/net/scripted-server.js';
import { accountOf, defaultsOf, nodeOf, pressOf } from './saved.js';
import { until } from '../../support/waiting.js';

const KEY = 'sk-Nobody/may+see=this';
/** The same script fills in the properties of all nodes, whose defaults `pages.test.ts` compares. */
const SAMPLE = ['text-to-speech', 'prompts', 'credits'];
const tab = { id: 'tab', type: 'tab', label: 'Speech' };
/** An exported flow, which does not contain the key. */
const exported = (url: string): FlowNode[] => [
  pressOf('press', 'speak'),
  { ...nodeOf('speak', 'text-to-speech', 0), voice_id: 'own-voice', wires: [[], [], [], []] },
  accountOf({ service: 'hosted', url, voice_id: 'anna', requestsPerMinute: '10000' }),
];

describeInBrowser('flow that is older, copied or imported', () => {
  const { nodeRed, editor, show: showFlows } = useSharedEditor([tab, nodeOf('credits', 'credits', 0)]);
  afterEach(() => assert.deepEqual(editor().problems, []));

  const show = (flows: readonly FlowNode[]) => showFlows([tab, ...flows]);
  const nodes = z.array(z.looseObject({ id: z.string(), type: z.string(), account: z.string().optional() }));
  /** Returns the nodes of one type as the editor would save them. */
  const savedOf = async (type: string) =>
    nodes.parse(
      await editor().page.evaluate(
        `RED.nodes.createCompleteNodeSet().filter(({ type }) => type === '${type}')`,
      ),
    );
  const speechPaths = ({ requests }: ScriptedServer) =>
    requests.map(({ path }) => path).filter((path) => path.startsWith('/v1/text-to-speech/'));

  it('gets the runtime defaults for missing properties when a dialog closes', async function () {
    const place = { z: 'tab', x: 300, wires: [] };
    const bare = SAMPLE.map((name, index) => ({
      id: name,
      type: `herald-${name}`,
      ...place,
      y: 80 * index,
    }));
    await show(bare);
    for (const name of SAMPLE) {
      await editor().open(name);
      await editor().done();
      const [saved] = await savedOf(`herald-${name}`);
      for (const [property, value] of Object.entries(defaultsOf(name)))
        if (property !== 'account') assert.equal(saved?.[property] ?? '', value, `${name} ${property}`);
    }
  });

  it('keeps an account hosted if it has a URL and was saved without a service', async () => {
    const { service: _service, version: _version, ...older } = accountOf({ url: 'http://127.0.0.1:9' });
    await show([{ ...older, id: 'account', type: 'herald-account' }, nodeOf('credits', 'credits', 0)]);
    await editor().open('account');
    assert.equal(await editor().page.locator('#node-config-input-service').inputValue(), 'hosted');
    await editor().done();
    const [saved] = await savedOf('herald-account');
    assert.deepEqual([saved?.['service'], saved?.['url']], ['hosted', 'http://127.0.0.1:9']);
  });

  it('keeps separate accounts and keys for each imported copy', () =>
    withServer(goodService, async (server) => {
      await show(exported(server.url));
      await editor().page.evaluate(
        `RED.nodes.import(${JSON.stringify(exported(server.url))}, { generateIds: true, importMap: { account: 'copy' } })`,
      );
      const accounts = await savedOf('herald-account');
      const users = await savedOf('herald-text-to-speech');
      assert.equal(accounts.length, 2);
      assert.deepEqual(new Set(users.map(({ account }) => account)), new Set(accounts.map(({ id }) => id)));
      await editor().open('account');
      await editor().page.locator('#node-config-input-apiKey').fill(KEY);
      await editor().done();
      await editor().deploy();
      const presses = await savedOf('inject');
      for (const { id } of presses) await nodeRed().inject(id);
      await until(() => speechPaths(server).length > 0 && /API key is missing/.test(nodeRed().log()));
      assert.deepEqual(speechPaths(server), ['/v1/text-to-speech/own-voice']);
    }));

  it('keeps all properties and the account of a pasted node', async () => {
    await show(exported('http://127.0.0.1:9'));
    await editor().page.evaluate(`{
      RED.view.select({ nodes: [RED.nodes.node('speak')] });
      RED.actions.invoke('core:copy-selection-to-internal-clipboard');
      RED.actions.invoke('core:paste-from-internal-clipboard');
    }`);
    await editor().page.mouse.move(500, 500);
    await editor().page.mouse.click(520, 520);
    const [first, copy] = await savedOf('herald-text-to-speech');
    const set = ({ id: _id, x: _x, y: _y, wires: _wires, ...rest }: object & Record<string, unknown>) => rest;
    assert.deepEqual(set(copy ?? {}), set(first ?? {}));
    assert.notEqual(copy?.id, first?.id);
  });

  it('ignores messages to a node that is disabled in its dialog until it is enabled again', () =>
    withServer(goodService, async (server) => {
      const account = accountOf({ service: 'hosted', url: server.url, requestsPerMinute: '10000' });
      const flows = exported(server.url).slice(0, 2);
      await show([...flows, { ...account, credentials: { apiKey: KEY } }]);
      const toggle = async (from: string) => {
        await editor().open('speak');
        await editor().page.locator('.red-ui-tray-footer button', { hasText: from }).click();
        await editor().done();
        await editor().deploy();
        await nodeRed().inject('press');
      };
      await toggle('Enabled');
      await toggle('Disabled');
      await until(() => speechPaths(server).length > 0);
      assert.deepEqual(speechPaths(server), ['/v1/text-to-speech/own-voice']);
    }));
});
