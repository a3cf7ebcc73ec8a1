import assert from 'node:assert/strict';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../support/browser/browser.js';
import { useEditor } from '../support/browser/editor-session.js';
import {
  box,
  boxOf,
  type Drawn,
  leftOf,
  nodesOf,
  pairsOf,
  rightOf,
  touch,
  touching,
  wireFaults,
} from './drawn.js';
import { examples } from './example.js';

/** A small screen. */
const SCREEN = { width: 1280, height: 800 };
const GRID = 20;
/** A group as drawn, with the ids of its nodes. */
const group = box.extend({ nodes: z.array(z.string()) });

describeInBrowser('example in the editor', () => {
  const { editor } = useEditor([...examples.values()].flat(), { viewport: SCREEN });
  let canvas = 0;
  before(async () => {
    const size = await editor().page.locator('#red-ui-workspace-chart').boundingBox();
    canvas = size?.width ?? 0;
    assert.ok(canvas > 0 && canvas < SCREEN.width);
  });

  it('is in the menu under Import, Examples', async () => {
    const { page } = editor();
    await page.evaluate('RED.actions.invoke("core:show-examples-import-dialog")');
    const dialog = page.locator('.ui-dialog:visible');
    await dialog.getByText('@herald-speech/node-red').click();
    const folders = new Set([...examples.keys()].map((name) => path.dirname(name)));
    for (const folder of folders) {
      if (folder !== '.') await dialog.getByText(folder, { exact: true }).click();
      // The folders below this one move until it is open, also under a click.
      for (const name of examples.keys())
        if (path.dirname(name) === folder)
          await dialog.getByText(path.basename(name), { exact: true }).waitFor();
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  for (const [name, nodes] of examples) {
    describe(name, () => {
      const tab = nodes.find(({ type }) => type === 'tab')?.id ?? '';
      let shown: Drawn[] = [];
      before(async () => {
        await editor().page.evaluate(`RED.workspaces.show('${tab}')`);
        await editor().page.waitForFunction(`RED.nodes.filterNodes({ z: '${tab}' }).every(({ w }) => w > 0)`);
        shown = await nodesOf(editor().page, tab);
      });

      it('is complete, and each node is valid', () => {
        const placed = nodes
          .filter(({ z: flow, type }) => flow !== undefined && type !== 'group')
          .map(({ id }) => id);
        assert.deepEqual(shown.map(({ id }) => id).sort(), placed.sort());
        assert.deepEqual(
          shown.filter(({ valid }) => !valid),
          [],
        );
      });

      it('fits a small screen and the grid', () => {
        for (const node of shown) {
          assert.ok(leftOf(node) >= 0 && rightOf(node) <= canvas, node.id);
          assert.deepEqual([(node.x - node.w / 2) % GRID, node.y % GRID], [0, 0], node.id);
        }
      });

      it('has free space between its nodes', () => {
        assert.deepEqual(touching(shown), []);
      });

      it('has each node except the first comment in a named group, and groups that fit and do not overlap', async () => {
        const groups = z.array(group).parse(
          await editor().page.evaluate(`RED.nodes.groups('${tab}').map(({ id, x, y, w, h, nodes }) => ({
            id, x, y, w, h, nodes: nodes.map((node) => node.id),
          }))`),
        );
        const [comment, ...rest] = nodes.filter(
          ({ z: flow, type }) => flow !== undefined && type !== 'group',
        );
        assert.deepEqual(groups.flatMap((one) => one.nodes).sort(), rest.map(({ id }) => id).sort());
        const outside = shown.filter(({ id }) => id === comment?.id).map(boxOf);
        for (const [one, other] of pairsOf([...groups, ...outside])) {
          assert.ok(!touch(one, other), `${one.id} and ${other.id}`);
        }
        for (const { id, x, w } of groups) {
          assert.ok(x >= 0 && x + w <= canvas, `${id}: ${x} to ${x + w}`);
          assert.ok(nodes.find((node) => node.id === id)?.name, id);
        }
      });

      it('has no crossing wires, and no wire behind a node', async () => {
        assert.deepEqual(await wireFaults(editor().page, shown), []);
      });
    });
  }

  it('causes no error on the page', () => {
    assert.deepEqual(editor().problems, []);
  });
});
