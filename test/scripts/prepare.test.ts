import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isInstalled } from '../../scripts/prepare.mjs';

const root = path.join(__dirname, '../..');
const project = { version: '0.1.0' };
const packages = {
  'node_modules/zod': { version: '4.1.0', integrity: 'sha512-one' },
  'node_modules/esbuild-other-system': { version: '0.28.2', optional: true },
};
const installed = { 'node_modules/zod': packages['node_modules/zod'] };

describe('the installation of a checkout', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'herald-prepare-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (file: string, content: object) =>
    writeFileSync(path.join(folder, file), JSON.stringify(content));
  /** Writes the lock file of a checkout, and then the one of its installation, as npm does. */
  function install(wanted: object, found: object = installed): void {
    mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
    write('package-lock.json', { packages: { '': project, ...wanted } });
    write('node_modules/.package-lock.json', { packages: found });
  }

  it('is complete without the optional packages of other systems', () => {
    install(packages);
    assert.equal(isInstalled(folder), true);
  });

  it('is complete after a new clone with a copied or a linked folder', () => {
    install(packages);
    const [modules, copy] = [path.join(folder, 'node_modules'), path.join(folder, 'copy')];
    cpSync(modules, copy, { recursive: true });
    utimesSync(path.join(copy, '.package-lock.json'), 1, 1);
    rmSync(modules, { recursive: true });
    symlinkSync(copy, modules, 'junction');
    assert.equal(isInstalled(folder), true);
    rmSync(modules);
    renameSync(copy, modules);
    assert.equal(isInstalled(folder), true);
  });

  it('is incomplete without the folder, and after an interrupted installation', () => {
    install(packages);
    rmSync(path.join(folder, 'node_modules/.package-lock.json'));
    assert.equal(isInstalled(folder), false);
    rmSync(path.join(folder, 'node_modules'), { recursive: true });
    assert.equal(isInstalled(folder), false);
  });

  it('is incomplete after the lock file has got another version, a new package, or lost one', () => {
    install({ ...packages, 'node_modules/zod': { version: '4.2.0', integrity: 'sha512-two' } });
    assert.equal(isInstalled(folder), false);
    install({ ...packages, 'node_modules/undici': { version: '7.0.0' } });
    assert.equal(isInstalled(folder), false);
    install({});
    assert.equal(isInstalled(folder), false);
  });

  it('is complete in the checkout that runs this test', () => {
    assert.equal(isInstalled(root), true);
  });
});
