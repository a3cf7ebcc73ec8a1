/** Reads the nodes and the wires of a flow as the editor draws them. */
import { z } from '@herald-speech/client';
import type { Page } from 'playwright-core';

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
export type Drawn = z.output<typeof drawn>[number];

export const leftOf = ({ x, w, button }: Drawn) => x - w / 2 - (button === 'left' ? BUTTON : 0);
export const rightOf = ({ x, w, button }: Drawn) => x + w / 2 + (button === 'right' ? BUTTON : 0);
const topOf = ({ y, h }: Drawn) => y - h / 2;

export const box = z.object({ id: z.string(), x: z.number(), y: z.number(), w: z.number(), h: z.number() });
type Box = z.output<typeof box>;

export const boxOf = (node: Drawn): Box => ({
  id: node.id,
  x: leftOf(node),
  y: topOf(node),
  w: rightOf(node) - leftOf(node),
  h: node.h,
});

/** Returns true if two boxes overlap, or if less than `gap` pixels are between them. */
export const touch = (one: Box, other: Box, gap = 0) =>
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

export const pairsOf = <Item>(items: readonly Item[]): [Item, Item][] =>
  items.flatMap((one, index) => items.slice(index + 1).map((other): [Item, Item] => [one, other]));

/** Returns the nodes of a tab. @param tab the id of the tab, shown in the page */
export const nodesOf = async (page: Page, tab: string): Promise<Drawn[]> =>
  drawn.parse(
    await page.evaluate(`RED.nodes.filterNodes({ z: ${JSON.stringify(tab)} }).map((node) => ({
      ...Object.fromEntries(['id', 'x', 'y', 'w', 'h', 'valid'].map((key) => [key, node[key]])),
      button: node._def.button ? node._def.align ?? 'left' : 'none',
    }))`),
  );

/** Returns the nodes with less than `gap` pixels between them, in pairs. */
export const touching = (nodes: readonly Drawn[], gap = MIN_GAP): string[] =>
  pairsOf(nodes.map(boxOf))
    .filter(([one, other]) => touch(one, other, gap))
    .map(([one, other]) => `${one.id} and ${other.id}`);

/** Returns the wires of the shown tab that cross another one, or that are behind another node. @throws Error without wires */
export async function wireFaults(page: Page, nodes: readonly Drawn[]): Promise<string[]> {
  const wires = z
    .array(wire)
    .min(1)
    .parse(await page.evaluate(WIRES));
  const nameOf = ({ from, port, to }: Wire) => `${from}:${port} to ${to}`;
  const behind = wires.flatMap((one) =>
    nodes
      .filter(({ id }) => id !== one.from && id !== one.to)
      .filter((node) => one.points.some((point) => isInside(point, boxOf(node))))
      .map(({ id }) => `${nameOf(one)} is behind ${id}`),
  );
  const crossing = pairsOf(wires)
    .filter(([one, other]) => !haveCommonEnd(one, other) && doCross(one, other))
    .map(([one, other]) => `${nameOf(one)} and ${nameOf(other)}`);
  return [...behind, ...crossing];
}
