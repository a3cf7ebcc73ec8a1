import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';
import type { FlowNode } from '../../support/node-red/node-red.js';
import { goodService } from '../admin/asking.js';
import { type ScriptedServer, withServer } from '../../support/net/scripted-server.js';
import { examples } from '../../examples/example.js';
import { openFolds } from './folds.js';
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

const validity = z.object({ valid: z.boolean(), validationErrors: z.array(z.string()) });

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
      {
        id: 'no sources',
        type: 'herald-text-to-speech',
        ...place,
        text: 'two words',
        voice_settings: '{"speed":9}',
        retry_attempts: '98',
      },
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
    /** Returns the problems that Node-RED knows. A valid node has none. */
    const problemsOf = async (id: string) => {
      const state = await editor().page.evaluate(
        `(({ valid, validationErrors }) => ({ valid, validationErrors }))(RED.nodes.node('${id}'))`,
      );
      const { valid, validationErrors } = validity.parse(state);
      assert.equal(valid, validationErrors.length === 0, id);
      return validationErrors;
    };
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
        const [earlier, problems] = [await savedNode(id), await problemsOf(id)];
        await editor().open(id);
        await editor().page.evaluate(
          `for (const fold of document.querySelectorAll('.herald-form details')) fold.open = true`,
        );
        await editor().done();
        assert.deepEqual([await savedNode(id), await problemsOf(id)], [earlier, problems], id);
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

    it('saves both value and source of a row that the user changes, also if one of them keeps its default, and shows them again', async () => {
      await editor().open('fw-tts');
      await editor().chooseType('#node-input-text', 'flow');
      await editor().page.locator('#node-input-text-value').fill('payload');
      await editor().chooseType('#node-input-language', 'env');
      await editor().page.locator('#node-input-language-value').fill('LANG');
      await openFolds(editor().page);
      await editor().page.locator('#node-input-retry_attempts-value').fill('98');
      await editor().done();
      const saved = await savedNode('fw-tts');
      const rows = ['text', 'language', 'retry_attempts', 'voice_id'];
      assert.deepEqual(
        rows.map((property) => [saved[property], saved[`${property}Type`]]),
        [
          ['payload', 'flow'],
          ['LANG', 'env'],
          ['98', 'num'],
          [undefined, undefined],
        ],
      );
      assert.match((await problemsOf('fw-tts')).join(), /^Attempts: [^,]+$/);
      await editor().open('fw-tts');
      assert.equal(await editor().page.locator('#node-input-language-value').inputValue(), 'LANG');
      await editor().cancel();
    });

    it('has the problems of its values by the default sources', async () => {
      const problems = await problemsOf('no sources');
      assert.equal(problems.length, 3, problems.join());
      assert.match(problems.join(), /Voice settings: .*Attempts: /);
    });

    it('has the problem of a number that the user typed as a text, also after Done', async () => {
      const earlier = await problemsOf('bare speaker');
      await editor().open('bare speaker');
      await editor().page.locator('#node-config-input-wake_up').pressSequentially('-');
      const note = await editor().page.locator('#herald-speaker-wake_up-problem').textContent();
      await editor().done();
      assert.deepEqual(await problemsOf('bare speaker'), [...earlier, note]);
    });

    it('keeps the service of an account that was saved without one, also after a change of its address, and the problem of the address', async () => {
      for (const [url, savedService] of [
        ['ftp://nas', undefined],
        ['', 'hosted'],
      ] as const) {
        await editor().open('older account');
        assert.equal(await editor().page.locator('#node-config-input-service').inputValue(), 'hosted');
        await editor().page.locator('#node-config-input-url').fill(url);
        await editor().done();
        const saved = await savedNode('older account');
        assert.deepEqual([saved['url'], saved['service'], saved['version']], [url, savedService, undefined]);
        assert.match((await problemsOf('older account')).join(), /^Base URL: /, url);
      }
      const label = "RED.utils.getNodeLabel(RED.nodes.node('older account'))";
      assert.notEqual(await editor().page.evaluate(label), 'Local service');
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
