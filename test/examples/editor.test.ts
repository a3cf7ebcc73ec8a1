import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../support/browser.js';
import { useEditor } from '../support/editor-session.js';
import { examples } from './example.js';

/** Width in pixels of the canvas between palette and sidebar on a small screen. */
const CANVAS = 900;
const GRID = 20;
/** Width in pixels of the button of an inject, debug or listen node, outside the node. */
const BUTTON = 26;

const drawn = z.array(
  z.object({
    id: z.string(),
    x: z.number(),
    y: z.number(),
    w: z.number(),
    h: z.number(),
    valid: z.boolean(),
    button: z.enum(['left', 'right', 'none']),
  }),
);
type Drawn = z.output<typeof drawn>[number];

const leftOf = ({ x, w, button }: Drawn) => x - w / 2 - (button === 'left' ? BUTTON : 0);
const rightOf = ({ x, w, button }: Drawn) => x + w / 2 + (button === 'right' ? BUTTON : 0);
const topOf = ({ y, h }: Drawn) => y - h / 2;
const bottomOf = ({ y, h }: Drawn) => y + h / 2;

const overlap = (one: Drawn, other: Drawn) =>
  leftOf(one) < rightOf(other) &&
  leftOf(other) < rightOf(one) &&
  topOf(one) < bottomOf(other) &&
  topOf(other) < bottomOf(one);

describeInBrowser('example in the editor', () => {
  const { editor } = useEditor([...examples.values()].flat());

  it('is in the menu under Import, Examples', async () => {
    const { page } = editor();
    await page.evaluate('RED.actions.invoke("core:show-examples-import-dialog")');
    const dialog = page.locator('.ui-dialog:visible');
    await dialog.getByText('@herald-speech/node-red').click();
    for (const name of examples.keys()) await dialog.getByText(name, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  for (const [name, nodes] of examples) {
    describe(name, () => {
      let shown: Drawn[] = [];
      before(async () => {
        const tab = JSON.stringify(nodes.find(({ type }) => type === 'tab')?.id);
        await editor().page.evaluate(`RED.workspaces.show(${tab})`);
        await editor().page.waitForFunction(`RED.nodes.filterNodes({ z: ${tab} }).every(({ w }) => w > 0)`);
        shown = drawn.parse(
          await editor().page.evaluate(`RED.nodes.filterNodes({ z: ${tab} }).map((node) => ({
            ...Object.fromEntries(['id', 'x', 'y', 'w', 'h', 'valid'].map((key) => [key, node[key]])),
            button: node._def.button ? node._def.align ?? 'left' : 'none',
          }))`),
        );
      });

      it('is complete, and each node is valid', () => {
        const placed = nodes.filter(({ z: flow }) => flow !== undefined).map(({ id }) => id);
        assert.deepEqual(shown.map(({ id }) => id).sort(), placed.sort());
        assert.deepEqual(
          shown.filter(({ valid }) => !valid),
          [],
        );
      });

      it('fits a small screen and the grid', () => {
        for (const node of shown) {
          assert.ok(leftOf(node) >= 0 && rightOf(node) <= CANVAS, node.id);
          assert.deepEqual([(node.x - node.w / 2) % GRID, node.y % GRID], [0, 0], node.id);
        }
      });

      it('has no overlapping nodes', () => {
        const pairs = shown.flatMap((one, index) =>
          shown.slice(index + 1).map((other) => [one, other] as const),
        );
        for (const [one, other] of pairs) assert.ok(!overlap(one, other), `${one.id} and ${other.id}`);
      });
    });
  }

  it('causes no error on the page', () => {
    assert.deepEqual(editor().problems, []);
  });
});
