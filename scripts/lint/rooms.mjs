/**
 * `npm run rooms`: finds folders that import each other in a circle, and counts the pairs of folders with imports. A house is a
 * package, or a folder with more than 25 files. Its rooms are the folders and files directly in it. An arrow leads from a room
 * to a room that it imports, types included. `rooms.json` limits the arrows between folders: a new file directly in a house, such
 * as a node, needs no higher limit.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from '../files.mjs';

/**
 * @typedef {object} Limits
 * @property {Record<string, number>} arrows limit of each house
 * @property {Record<string, string[]>} circles rooms of a house that still import each other in a circle
 *
 * @typedef {{ name: string, arrows: Map<string, Map<string, string>> }} House
 * The arrows by room and imported room, each with an import as its example.
 */

/** A folder with more source files is a house. */
const MAX_FILES = 25;
const IMPORT = /(?:from|import|require)\s*\(?\s*['"](\.[^'"]+)['"]/g;

/**
 * @param {readonly House[]} houses
 * @param {Limits} limits
 * @returns {string[]} the houses that exceed a limit or have a circle, with examples
 */
export function faultsIn(houses, limits) {
  return houses.flatMap((house) => [
    ...circleFaults(house, limits.circles),
    ...arrowFault(house, limits.arrows),
  ]);
}

/**
 * @param {string} root a checkout
 * @returns {House[]}
 */
export function housesIn(root) {
  const files = sourcesIn(root);
  const known = new Set(files);
  const imports = files.flatMap((file) => importsOf(root, file, known));
  return [...housesOf(files)].map((name) => ({ name, arrows: arrowsIn(name, imports) }));
}

/** @param {string} room */
const isFolder = (room) => !room.endsWith('.ts');

/** @param {House} house */
const countOf = ({ arrows }) =>
  [...arrows].reduce(
    (sum, [from, targets]) => sum + (isFolder(from) ? [...targets.keys()].filter(isFolder).length : 0),
    0,
  );

/** @param {string} root */
function sourcesIn(root) {
  const packages = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && (entry.name === 'nodes' || hasManifest(path.join(root, entry.name))),
  );
  const isSource = (/** @type {string} */ file) => /(?<!\.d)\.ts$/.test(file) && !/(^|\/)test\//.test(file);
  return packages.flatMap(({ name }) =>
    filesBelow(path.join(root, name))
      .filter(isSource)
      .map((file) => `${name}/${file}`),
  );
}

/** @param {string} folder */
const hasManifest = (folder) => readdirSync(folder).includes('package.json');

/**
 * @param {string} root
 * @param {string} file
 * @param {ReadonlySet<string>} files
 * @returns {[file: string, imported: string][]}
 */
function importsOf(root, file, files) {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(IMPORT)].flatMap(([, name = '']) => {
    const place = path.posix.join(path.posix.dirname(file), name);
    const found = [place.replace(/\.js$/, '.ts'), `${place}.ts`, `${place}/index.ts`].find((one) =>
      files.has(one),
    );
    return found === undefined ? [] : [[file, found]];
  });
}

/**
 * @param {readonly string[]} files
 * @returns {Set<string>} the packages, and the folders with too many files
 */
function housesOf(files) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const file of files)
    for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder))
      sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  const large = [...sizes].filter(([folder, size]) => !folder.includes('/') || size > MAX_FILES);
  return new Set(large.map(([folder]) => folder).toSorted());
}

/**
 * @param {string} house
 * @param {readonly [string, string][]} imports
 */
function arrowsIn(house, imports) {
  const roomOf = (/** @type {string} */ file) =>
    file.startsWith(`${house}/`) ? file.slice(house.length + 1).split('/')[0] : undefined;
  /** @type {House['arrows']} */
  const arrows = new Map();
  for (const [file, imported] of imports) {
    const [from, to] = [roomOf(file), roomOf(imported)];
    if (from === undefined || to === undefined || from === to) continue;
    const known = arrows.get(from) ?? new Map();
    arrows.set(from, known.set(to, known.get(to) ?? `${file} imports ${imported}`));
  }
  return arrows;
}

/**
 * @param {House} house
 * @param {Limits['circles']} circles
 */
function circleFaults({ name, arrows }, circles) {
  const known = circles[name] ?? [];
  const found = circlesIn(arrows);
  const fresh = found.filter((rooms) => !rooms.every((room) => known.includes(room)));
  const ended = known.filter((room) => !found.some((rooms) => rooms.includes(room)));
  return [
    ...fresh.map(
      (rooms) => `${name}: these folders import each other in a circle:${examplesOf(rooms, arrows)}`,
    ),
    ...(ended.length > 0
      ? [`${name}: no circle has ${ended.join(', ')} now: delete them from rooms.json`]
      : []),
  ];
}

/**
 * @param {House['arrows']} arrows
 * @returns {string[][]} the groups of rooms that all reach each other
 */
function circlesIn(arrows) {
  const reach = new Map([...arrows.keys()].map((room) => [room, reachOf(room, arrows)]));
  const groups = [...reach].flatMap(([room, reached]) => {
    if (!reached.has(room)) return [];
    return [
      [...reached]
        .filter((other) => reach.get(other)?.has(room))
        .toSorted()
        .join(' '),
    ];
  });
  return [...new Set(groups)].map((rooms) => rooms.split(' '));
}

/**
 * @param {string} room
 * @param {House['arrows']} arrows
 * @param {Set<string>} [reached]
 */
function reachOf(room, arrows, reached = new Set()) {
  for (const next of arrows.get(room)?.keys() ?? []) {
    if (reached.has(next)) continue;
    reached.add(next);
    reachOf(next, arrows, reached);
  }
  return reached;
}

/**
 * @param {readonly string[]} rooms
 * @param {House['arrows']} arrows
 */
const examplesOf = (rooms, arrows) =>
  rooms
    .flatMap((from) => [...(arrows.get(from) ?? [])])
    .filter(([to]) => rooms.includes(to))
    .map(([, example]) => `\n  ${example}`)
    .join('');

/**
 * @param {House} house
 * @param {Limits['arrows']} limits
 */
function arrowFault(house, limits) {
  const limit = limits[house.name];
  const count = countOf(house);
  if (limit === undefined) return [`${house.name}: ${count} arrows, no limit: add it to rooms.json`];
  return count > limit ? [`${house.name}: ${count} arrows, limit ${limit}: import fewer folders`] : [];
}

if (process.argv[1] === import.meta.filename) {
  const houses = housesIn(path.resolve(import.meta.dirname, '../..'));
  const limits = JSON.parse(readFileSync(path.join(import.meta.dirname, 'rooms.json'), 'utf8'));
  const faults = faultsIn(houses, limits);
  for (const fault of faults) console.error(fault);
  const total = houses.reduce((sum, house) => sum + countOf(house), 0);
  console.log(`${total} arrows: ${houses.map((house) => `${house.name} ${countOf(house)}`).join(', ')}`);
  if (faults.length > 0) process.exitCode = 1;
}
