import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { NeuralChild } from '../../../../../service/voices/engines/neural/process/neural-child.js';
import { readMeasurement } from '../../../../../service/voices/installed/measurements.js';
import { measurementsIn } from '../../../../../service/voices/installed/folders.js';
import { NATIVE, Natural } from '../../../../../service/voices/natural/manage/natural.js';
import {
  NativeInstallation,
  type NativeWork,
} from '../../../../../service/voices/natural/install/native-runtime.js';
import { nativeRelease } from '../../../../../service/voices/installed/native-release.js';
import { installStub } from '../../../../support/natural/installed-stub.js';
import { HERE, NativeRegistry } from '../../../../support/natural/native-registry.js';
import { seedMeasurement } from '../catalogue/support.js';
import { until } from '../../../../support/waiting.js';
import { IDS } from '../../../../neural/neural-process.js';

const [platform = '', machine = ''] = HERE.split('-');
const glibc = '2.36';

describe('the native runtime', () => {
  let data: string;
  let registry: NativeRegistry;
  let runtime: NativeInstallation;
  beforeEach(async () => {
    data = await mkdtemp(path.join(os.tmpdir(), 'herald-native-'));
    registry = await new NativeRegistry().open();
    runtime = runtimeWith();
  });
  afterEach(async () => {
    registry.close();
    await rm(data, { recursive: true });
  });

  const runtimeWith = (release = registry.release) =>
    new NativeInstallation(data, { release, machine: { platform, machine, glibc } });
  const work = (more: Partial<NativeWork> = {}): NativeWork => ({
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  });
  const filesIn = async (folder: string) => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name))).sort();
  };

  /** Resolves with the runtime that spoke a sentence. */
  async function spokenWith({ folder }: NativeInstallation, child?: NeuralChild): Promise<string> {
    const { model } = await installStub(path.join(data, 'voices'), { name: 'de_DE-stub-medium' });
    const scales: [number, number, number] = [0, 1, 0];
    const sentence = { model, ids: IDS, scales, speaker: null, sampleRate: 22_050 };
    const own = child ?? new NeuralChild({ native: folder });
    const { runtime: kind } = await own.speak(
      { ...sentence, urgency: 'start' },
      new AbortController().signal,
    );
    if (child === undefined) await own.close();
    return kind;
  }

  it('comes with the files of this platform only, and no script of the package runs', async () => {
    const phases: string[] = [];
    await runtime.install(work({ onProgress: ({ phase }) => void phases.push(phase) }));
    assert.deepEqual(
      await filesIn(data),
      [
        `bin/napi-v6/${platform}/${machine}/library.js`,
        'dist/index.js',
        'node_modules/onnxruntime-common/index.js',
        'package.json',
      ].map((file) => path.join(`native/onnxruntime-node-${registry.release.version}`, file)),
    );
    assert.deepEqual([...new Set(phases)], ['download', 'check']);
    assert.ok(!existsSync(registry.mark));
    const { isInstalled, bytes } = await runtime.state();
    assert.ok(isInstalled && bytes > 50_000);
  });

  it('speaks from the next sentence after its installation, and WebAssembly from the next one after its removal', async () => {
    const child = new NeuralChild({ native: runtime.folder });
    try {
      assert.equal(await spokenWith(runtime, child), 'web');
      await runtime.install(work({ file: registry.file }));
      assert.equal(await spokenWith(runtime, child), 'native');
      await runtime.remove();
      assert.equal(await spokenWith(runtime, child), 'web');
      assert.deepEqual((await runtime.state()).isInstalled, false);
    } finally {
      await child.close();
    }
  });

  it('is a job with progress, after which the voices have their new speed', async () => {
    const voices = path.join(data, 'voices');
    const { model, name } = await installStub(voices, { name: 'de_DE-stub-medium' });
    seedMeasurement(data, model);
    const natural = new Natural({ voices, data, voicesUrl: '' }, { get: () => undefined }, runtime);
    const done = async () => {
      await until(() => natural.jobs.get(NATIVE)?.isDone === true);
      assert.equal(natural.jobs.get(NATIVE)?.error, null);
      return readMeasurement(measurementsIn(data), name)?.runtime;
    };
    assert.equal(natural.jobs.get(NATIVE), undefined);
    assert.equal(natural.start({ kind: 'native', change: 'install', file: registry.file }).isDone, false);
    assert.equal(await done(), 'native');
    natural.start({ kind: 'native', change: 'remove' });
    assert.equal(await done(), 'web');
    assert.equal((await natural.library.native.state()).isInstalled, false);
    await natural.close();
  });

  it('is refused if the package has another digest than the pinned one', async () => {
    const other = runtimeWith({ ...registry.release, integrity: nativeRelease.integrity });
    await assert.rejects(other.install(work({ file: registry.file })), {
      kind: 'digest',
      message: /SHA-512 differs/,
    });
    assert.deepEqual(await filesIn(data), []);
  });

  it('names the way without a network, and takes the file from there', async () => {
    registry.disconnect();
    await assert.rejects(runtime.install(work()), {
      kind: 'network',
      message:
        /^onnxruntime-node@1\.30\.0: npm failed \(ECONNREFUSED\)\. .*npm pack onnxruntime-node@1\.30\.0.*herald-service voices native install FILE/,
    });
    await runtime.install(work({ file: registry.file }));
    assert.ok((await runtime.state()).isInstalled);
  });

  it('leaves nothing behind after an abort during the download', async () => {
    registry.isStuck = true;
    const controller = new AbortController();
    const installing = runtime.install(work({ signal: controller.signal }));
    setTimeout(() => controller.abort(), 1500);
    await assert.rejects(installing, { kind: 'cancelled' });
    assert.deepEqual(await filesIn(data), []);
  });

  it('is refused with the reason if its library does not run on this computer', async () => {
    registry.close();
    const library = "throw new Error('libstdc++.so.6: version GLIBCXX_3.4.29 not found');";
    registry = await new NativeRegistry(library).open();
    await assert.rejects(runtimeWith().install(work({ file: registry.file })), {
      kind: 'invalid',
      message: /does not run on this computer.*GLIBCXX_3\.4\.29 not found/,
    });
    assert.deepEqual(await filesIn(data), []);
  });

  it('is refused before the download if the disk has no room', async () => {
    const huge = runtimeWith({ ...registry.release, bytes: 1e18 });
    await assert.rejects(huge.install(work()), { kind: 'disk', message: /needs .* MB.*Free some space/ });
  });

  it('of another version tells so, is not used, and is replaced by an installation', async () => {
    await runtime.install(work({ file: registry.file }));
    const later = runtimeWith({ ...registry.release, version: '1.31.0' });
    const { isInstalled, isOutdated, version } = await later.state();
    assert.deepEqual([isInstalled, isOutdated, version], [false, true, '1.31.0']);
    assert.equal(await spokenWith(later), 'web');
    await later.install(work({ file: registry.file }));
    assert.deepEqual(await readdir(path.join(data, 'native')), ['onnxruntime-node-1.31.0']);
    assert.equal((await later.state()).isOutdated, false);
    await runtime.remove();
    assert.deepEqual(await readdir(path.join(data, 'native')), []);
  });

  const obstacles: [
    system: string,
    facts: { platform: string; machine: string; glibc?: string },
    obstacle: string | null,
  ][] = [
    ['Alpine Linux', { platform: 'linux', machine: 'x64' }, 'musl'],
    ['an old Linux', { platform: 'linux', machine: 'x64', glibc: '2.27' }, 'old-glibc'],
    ['a Mac with an Intel processor', { platform: 'darwin', machine: 'x64' }, 'platform'],
    ['a Raspberry Pi with 32 bits', { platform: 'linux', machine: 'arm', glibc }, 'platform'],
    ['a Raspberry Pi with 64 bits', { platform: 'linux', machine: 'arm64', glibc }, null],
    ['a Mac with an M processor', { platform: 'darwin', machine: 'arm64' }, null],
    ['Windows', { platform: 'win32', machine: 'x64' }, null],
  ];
  for (const [system, facts, obstacle] of obstacles)
    it(`${obstacle === null ? 'is offered' : 'is refused with its reason'} on ${system}`, async () => {
      const there = new NativeInstallation(data, { machine: facts });
      assert.equal((await there.state()).obstacle, obstacle);
      if (obstacle !== null)
        await assert.rejects(there.install(work()), { kind: 'invalid', message: /WebAssembly/ });
    });

  it('has the version of the bundled runtime, whose types it shares', () => {
    const { devDependencies } = require('../../../../../package.json');
    assert.equal(devDependencies['onnxruntime-common'], nativeRelease.version);
    assert.ok(nativeRelease.platforms['linux-x64'] && nativeRelease.platforms['linux-x64'] > 40e6);
  });
});
