import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';
import type { FlowNode } from '../../support/node-red/node-red.js';
import { goodService } from '../admin/asking.js';
import { type ScriptedServer, withServer } from '../../support/net/scripted-server.js';
import { examples } from '../../examples/example.js';
import { accountOf, nodeOf, pressOf } from './saved.js';
import { until } from '../../support/waiting.js';

const KEY = 'sk-Nobody/may+see=this';
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

  describe('without the properties that have defaults, such as the first flow of npm start', () => {
    const place = { z: 'tab', x: 300, y: 80, wires: [] };
    const flows: FlowNode[] = [
      { id: 'bare prompts', type: 'herald-prompts', ...place },
      { id: 'older account', type: 'herald-account', url: 'http://127.0.0.1:9' },
      { id: 'bare speaker', type: 'herald-speaker', kind: 'mpd' },
      ...(examples.get('first-words') ?? []),
    ];
    /** The same script saves all nodes of the canvas, so these stand for the others. */
    const opened = [
      'bare prompts',
      'older account',
      'bare speaker',
      'herald-this-machine',
      'fw-tts',
      'fw-listen',
    ];
    beforeEach(() => show(flows));

    const savedNode = async (id: string) =>
      z
        .looseObject({})
        .parse(await editor().page.evaluate(`RED.nodes.convertNode(RED.nodes.node('${id}'), false)`));
    const nameField = () => editor().page.locator('#node-input-name, #node-config-input-name');
    const isDirty = () => editor().page.evaluate('RED.nodes.dirty()');
    const changed = async () =>
      z
        .array(z.string())
        .parse(
          await editor().page.evaluate(
            `${JSON.stringify(opened)}.filter((id) => RED.nodes.node(id).changed === true)`,
          ),
        );

    it('stays deployed and unchanged if the user only looks, into each section, and presses Done', async () => {
      for (const id of opened) {
        const earlier = await savedNode(id);
        await editor().open(id);
        await editor().page.evaluate(
          `for (const fold of document.querySelectorAll('.herald-form details')) fold.open = true`,
        );
        await editor().done();
        assert.deepEqual(await savedNode(id), earlier, id);
      }
      assert.deepEqual([await changed(), await isDirty()], [[], false]);
    });

    it('stays deployed and unchanged if the user changes a field and presses Cancel', async () => {
      for (const id of ['fw-tts', 'herald-this-machine']) {
        const earlier = await savedNode(id);
        await editor().open(id);
        await nameField().fill('Other name');
        await editor().cancel();
        assert.deepEqual(await savedNode(id), earlier, id);
      }
      assert.deepEqual([await changed(), await isDirty()], [[], false]);
    });

    it('is marked, and saves only the changed field', async () => {
      const edited = ['older account', 'bare speaker', 'fw-listen'];
      for (const id of edited) {
        const { x: _place, ...earlier } = await savedNode(id);
        await editor().open(id);
        await nameField().fill('Other name');
        await editor().done();
        const { x: _newPlace, ...later } = await savedNode(id);
        assert.deepEqual(later, { ...earlier, name: 'Other name' }, id);
      }
      assert.deepEqual([await changed(), await isDirty()], [edited, true]);
    });

    it('saves the value and the source of a row that the user changes, and shows them again', async () => {
      await editor().open('fw-tts');
      await editor().page.locator('#node-input-text-value').fill('topic');
      await editor().chooseType('#node-input-language', 'env');
      await editor().page.locator('#node-input-language-value').fill('LANG');
      await editor().done();
      const saved = await savedNode('fw-tts');
      assert.deepEqual(
        ['text', 'textType', 'language', 'languageType', 'voice_id'].map((property) => saved[property]),
        ['topic', undefined, 'LANG', 'env', undefined],
      );
      await editor().open('fw-tts');
      assert.equal(await editor().page.locator('#node-input-language-value').inputValue(), 'LANG');
      await editor().cancel();
    });

    it('keeps the service of an account that was saved without one, also after a change of its address', async () => {
      await editor().open('older account');
      assert.equal(await editor().page.locator('#node-config-input-service').inputValue(), 'hosted');
      await editor().page.locator('#node-config-input-url').fill('http://127.0.0.1:10');
      await editor().done();
      const { url, service, version } = await savedNode('older account');
      assert.deepEqual([url, service, version], ['http://127.0.0.1:10', undefined, undefined]);
      await editor().open('older account');
      assert.equal(await editor().page.locator('#node-config-input-service').inputValue(), 'hosted');
      await editor().cancel();
    });
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
