import assert from 'node:assert/strict';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../support/browser/browser.js';
import { useEditor } from '../support/browser/editor-session.js';
import { examples } from './example.js';

/** A small screen. */
const SCREEN = { width: 1280, height: 800 };
const GRID = 20;
/** Minimum distance of two nodes in pixels, buttons included. */
const MIN_GAP = 8;
/** Width in pixels of the button of an inject, debug or listen node, outside the node. */
const BUTTON = 26;

/** Reads the drawn wires of the current tab in the page. */
const WIRES = `[...document.querySelectorAll('#red-ui-workspace-chart .red-ui-flow-link')]
  .map((element) => ({ link: element.__data__, path: element.querySelector('.red-ui-flow-link-line') }))
  .filter(({ link, path }) => link?.source !== undefined && !link.link && path !== null)
  .map(({ link, path }) => ({
    from: link.source.id,
    port: link.sourcePort,
    to: link.target.id,
    points: Array.from({ length: 41 }, (_, index) => {
      const { x, y } = path.getPointAtLength((path.getTotalLength() * index) / 40);
      return { x, y };
    }),
  }))`;

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

const box = z.object({ id: z.string(), x: z.number(), y: z.number(), w: z.number(), h: z.number() });
type Box = z.output<typeof box>;

/** A group as drawn, with the ids of its nodes. */
const group = box.extend({ nodes: z.array(z.string()) });

const boxOf = (node: Drawn): Box => ({
  id: node.id,
  x: leftOf(node),
  y: topOf(node),
  w: rightOf(node) - leftOf(node),
  h: node.h,
});

/** Returns true if two boxes overlap, or if less than `gap` pixels are between them. */
const touch = (one: Box, other: Box, gap = 0) =>
  one.x < other.x + other.w + gap &&
  other.x < one.x + one.w + gap &&
  one.y < other.y + other.h + gap &&
  other.y < one.y + one.h + gap;

/** A wire as drawn, as points along the curve. */
const wire = z.object({
  from: z.string(),
  port: z.number(),
  to: z.string(),
  points: z.array(z.object({ x: z.number(), y: z.number() })),
});
type Wire = z.output<typeof wire>;
type Point = Wire['points'][number];

/** Two wires of the same output or to the same node meet there. */
const haveCommonEnd = (one: Wire, other: Wire) =>
  one.to === other.to || (one.from === other.from && one.port === other.port);

function doCross(one: Wire, other: Wire): boolean {
  const pieces = ({ points }: Wire) =>
    points.slice(1).map((end, index) => [points[index] ?? end, end] as const);
  return pieces(one).some(([a, b]) => pieces(other).some(([c, d]) => doIntersect(a, b, c, d)));
}

function doIntersect(a: Point, b: Point, c: Point, d: Point): boolean {
  const side = (p: Point, q: Point, r: Point) =>
    Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

const isInside = ({ x, y }: Point, box: Box) =>
  x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h;

const pairsOf = <Item>(items: readonly Item[]): [Item, Item][] =>
  items.flatMap((one, index) => items.slice(index + 1).map((other): [Item, Item] => [one, other]));

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
    folders.delete('.');
    for (const folder of folders) await dialog.getByText(folder, { exact: true }).click();
    for (const name of examples.keys())
      await dialog.getByText(path.basename(name), { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  for (const [name, nodes] of examples) {
    describe(name, () => {
      const tab = JSON.stringify(nodes.find(({ type }) => type === 'tab')?.id);
      let shown: Drawn[] = [];
      before(async () => {
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
        for (const [one, other] of pairsOf(shown.map(boxOf))) {
          assert.ok(!touch(one, other, MIN_GAP), `${one.id} and ${other.id}`);
        }
      });

      it('has each node except the first comment in a named group, and groups that fit and do not overlap', async () => {
        const groups = z.array(group).parse(
          await editor().page.evaluate(`RED.nodes.groups(${tab}).map(({ id, x, y, w, h, nodes }) => ({
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
        const wires = z.array(wire).parse(await editor().page.evaluate(WIRES));
        assert.ok(wires.length > 0);
        for (const { from, port, to, points } of wires) {
          const others = shown.filter(({ id }) => id !== from && id !== to).map(boxOf);
          const behind = others.find((node) => points.some((point) => isInside(point, node)));
          assert.equal(behind, undefined, `${from}:${port} to ${to} is behind ${behind?.id}`);
        }
        for (const [one, other] of pairsOf(wires)) {
          const names = [one, other].map(({ from, port, to }) => `${from}:${port} to ${to}`);
          assert.ok(haveCommonEnd(one, other) || !doCross(one, other), names.join(' and '));
        }
      });
    });
  }

  it('causes no error on the page', () => {
    assert.deepEqual(editor().problems, []);
  });
});
