import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { VoiceManager } from '../../../../../service/voices/natural/manage/manager.js';
import { FolderSource } from '../../../../../service/voices/natural/transfer/folder-source.js';
import type { InstallProgress } from '../../../../../service/voices/natural/install/install-control.js';
import { VoiceFolder } from '../../../../../service/voices/natural/install/voice-folder.js';
import { filesOf, writeRepository } from '../../../../support/natural/voice-repository.js';
import { writeStubVoice } from '../../../../support/natural/stub-voice.js';
import { modelIn, seedMeasurement } from '../catalogue/support.js';
import { isError } from '../support.js';
import { useFolder } from '../../../../support/folder.js';

const NAME = 'de_DE-stub-medium';
const { signal } = new AbortController();

describe('the voice manager', () => {
  const at = useFolder();
  beforeEach(() =>
    writeRepository(at('repository'), [
      { name: NAME, licence: 'CC0' },
      { name: 'en_GB-duo-low', licence: 'CC BY-NC 4.0', speakers: ['anna', 'ben'] },
    ]),
  );

  const managerOf = (repository = at('repository')) =>
    new VoiceManager({
      folder: new VoiceFolder(at('voices'), 0),
      data: at('data'),
      source: new FolderSource(repository),
    });

  /** Returns a manager with the catalogue of the repository. */
  async function refreshed() {
    const manager = managerOf();
    await manager.refresh(signal);
    return manager;
  }

  async function install(manager: VoiceManager, name: string) {
    const phases: InstallProgress['phase'][] = [];
    const { sha256: card } = await manager.card(name, signal);
    const onProgress = ({ phase }: InstallProgress) => void phases.push(phase);
    await manager.install(name, { card, signal, onProgress });
    return [...new Set(phases)];
  }

  /** The time of a measurement is not the matter of most tests. */
  const installFast = (manager: VoiceManager, name: string) => {
    seedMeasurement(at('data'), modelIn(at('repository'), name));
    return install(manager, name);
  };

  const find = (manager: VoiceManager, name: string) =>
    manager.available().find((voice) => voice.name === name) ?? assert.fail(`${name} is missing`);

  it('lists the shipped catalogue until the user refreshes it, and then the new one', async () => {
    const manager = managerOf();
    assert.ok(manager.available().length > 100);
    assert.equal(manager.date, null);
    assert.deepEqual(await manager.refresh(signal), { voices: 2, invalid: [] });
    assert.equal(manager.available().length, 2);
    assert.equal(managerOf().available().length, 2);
    assert.equal(new Date(manager.date ?? '').toISOString(), manager.date);
  });

  it('reads the licence from the model card', async () => {
    const manager = await refreshed();
    const { licence, isNonCommercial, text, bytes } = await manager.card('en_GB-duo-low', signal);
    assert.deepEqual([licence, isNonCommercial], ['CC BY-NC 4.0', true]);
    assert.match(text, /License: CC BY-NC 4\.0/);
    assert.equal(bytes, find(manager, 'en_GB-duo-low').bytes);
  });

  it('installs a voice with the licence of its card, in the documented phases', async () => {
    const manager = await refreshed();
    const phases = await installFast(manager, 'en_GB-duo-low');
    assert.deepEqual(phases.slice(0, 2), ['card', 'download']);
    const { installed, licence, isNonCommercial } = find(manager, 'en_GB-duo-low');
    assert.deepEqual([licence, isNonCommercial, installed?.licence], ['CC BY-NC 4.0', true, 'CC BY-NC 4.0']);
    assert.deepEqual(installed?.voiceIds, ['en_GB-duo-low-anna', 'en_GB-duo-low-ben']);
    assert.deepEqual(await manager.verify('en_GB-duo-low', signal), []);
  });

  it('measures an installed voice that is not measured, and forgets the figures when it removes the voice', async function () {
    this.timeout(60_000);
    const manager = await refreshed();
    await installFast(manager, NAME);
    await rm(at('data', 'measurements'), { recursive: true });
    assert.equal(find(manager, NAME).installed?.realTimeFactor, null);
    assert.deepEqual(await install(manager, NAME), ['measure']);
    const { installed } = find(manager, NAME);
    assert.ok(installed?.realTimeFactor !== null && installed?.isLive === true);
    assert.ok((installed.memoryBytes ?? 0) > 1e6);
    await manager.remove(NAME);
    assert.equal(find(manager, NAME).installed, null);
    await assert.rejects(readFile(at('data', 'measurements', `${NAME}.json`)), { code: 'ENOENT' });
  });

  it('rejects the consent with another model card, and installs nothing', async () => {
    const manager = await refreshed();
    const { sha256: card } = await manager.card(NAME, signal);
    const [, , place = ''] = filesOf(NAME);
    await writeFile(at('repository', place), '* License: all rights reserved');
    const work = { card, signal, onProgress: () => {} };
    await assert.rejects(
      manager.install(NAME, work),
      isError('consent', /the model card differs from the accepted one/),
    );
    assert.equal(find(manager, NAME).installed, null);
  });

  it('accepts a model card that the repository corrected after the refresh', async () => {
    const manager = await refreshed();
    const [, , place = ''] = filesOf(NAME);
    await writeFile(at('repository', place), '# Corrected\n\n* License: CC BY 4.0\n');
    await installFast(manager, NAME);
    assert.equal(find(manager, NAME).installed?.licence, 'CC BY 4.0');
  });

  const faults = { opset: 'needs a version', zeros: 'only silence', nan: 'not numbers \\(NaN\\)' } as const;
  for (const fault of ['opset', 'zeros', 'nan'] as const) {
    it(`removes a voice again that cannot speak, with the reason (${fault})`, async function () {
      this.timeout(60_000);
      await rm(at('repository'), { recursive: true });
      await writeRepository(at('repository'), [{ name: NAME, fault }]);
      const manager = await refreshed();
      const problem = new RegExp(`cannot speak here \\(.*${faults[fault]}.*\\)\\. It was removed again`);
      await assert.rejects(install(manager, NAME), isError('invalid', problem));
      assert.equal(find(manager, NAME).installed, null);
    });
  }

  it('keeps an installed voice that cannot be measured: other computers may share its folder', async function () {
    this.timeout(60_000);
    await rm(at('repository'), { recursive: true });
    await writeRepository(at('repository'), [{ name: NAME, fault: 'opset' }]);
    const manager = await refreshed();
    await installFast(manager, NAME);
    await rm(at('data', 'measurements'), { recursive: true });
    await assert.rejects(install(manager, NAME), isError('invalid', /It remains installed/));
    assert.equal(await manager.isWhole(NAME, signal), true);
  });

  it('reports a voice that a user removes during its measurement', async function () {
    this.timeout(60_000);
    await rm(at('repository'), { recursive: true });
    await writeRepository(at('repository'), [{ name: NAME, fault: 'opset' }]);
    const manager = await refreshed();
    const { sha256: card } = await manager.card(NAME, signal);
    let removal: Promise<void> | undefined;
    const onProgress = ({ phase }: InstallProgress) => {
      if (phase === 'measure') removal ??= manager.remove(NAME);
    };
    await assert.rejects(
      manager.install(NAME, { card, signal, onProgress }),
      isError('cancelled', /was removed during its measurement/),
    );
    await removal;
    assert.equal(find(manager, NAME).installed, null);
    await assert.rejects(readFile(at('data', 'measurements', `${NAME}.json`)), { code: 'ENOENT' });
  });

  it('asks for the consent to an imported voice whose card the user has not seen', async () => {
    const manager = await refreshed();
    seedMeasurement(at('data'), modelIn(at('repository'), NAME));
    const [, , place = ''] = filesOf(NAME);
    const card = await readFile(at('repository', place));
    await rm(at('repository', place));
    await manager.importFrom(path.dirname(modelIn(at('repository'), NAME)), { signal, onProgress: () => {} });
    assert.equal(await manager.isWhole(NAME, signal), false);
    await writeFile(at('repository', place), card);
    const { sha256 } = await manager.card(NAME, signal);
    const work = { signal, onProgress: () => {} };
    await assert.rejects(
      manager.install(NAME, { card: '0'.repeat(64), ...work }),
      isError('consent', /differs/),
    );
    const { record } = await manager.install(NAME, { card: sha256, ...work });
    assert.equal(record.consent.cardSha256, sha256);
  });

  it('loads the catalogue for two callers at the same time', async () => {
    const managers = Array.from({ length: 8 }, () => managerOf());
    await Promise.all(managers.map((manager) => manager.refresh(signal)));
    assert.equal(managerOf().problem, undefined);
    assert.equal(managerOf().available().length, 2);
  });

  it('needs neither consent nor network for a voice that is installed', async () => {
    const manager = await refreshed();
    await installFast(manager, NAME);
    await rm(at('repository'), { recursive: true });
    await manager.install(NAME, { card: '', signal, onProgress: () => {} });
    assert.equal(await manager.isWhole(NAME, signal), true);
  });

  it('repairs an installed voice whose model changed without a change of its size', async () => {
    const manager = await refreshed();
    await installFast(manager, NAME);
    const model = at('voices', NAME, `${NAME}.onnx`);
    const whole = await readFile(model);
    await writeFile(model, Buffer.from(whole).fill(7, 100, 200));
    assert.match((await manager.verify(NAME, signal)).join(), /SHA-256 .* install the voice again/);
    assert.equal(await manager.isWhole(NAME, signal), false);
    await install(manager, NAME);
    assert.deepEqual(await readFile(model), whole);
    assert.deepEqual(await manager.verify(NAME, signal), []);
  });

  it('accepts a whole voice that the catalogue does not contain', async () => {
    const own = 'de_DE-mine-medium';
    seedMeasurement(at('data'), await writeStubVoice(at('own'), { name: own }));
    const manager = managerOf();
    await manager.importFrom(at('own'), { signal, onProgress: () => {} });
    const { name } = await manager.install(own, { card: '', signal, onProgress: () => {} });
    assert.equal(name, own);
  });

  it('lists an installed voice that the catalogue no longer has', async () => {
    const manager = await refreshed();
    await installFast(manager, NAME);
    await rm(at('repository'), { recursive: true });
    await writeRepository(at('repository'), [{ name: 'en_GB-duo-low', speakers: ['anna', 'ben'] }]);
    await manager.refresh(signal);
    assert.deepEqual(find(manager, NAME).installed?.voiceIds, [NAME]);
    assert.equal(find(manager, NAME).title, 'Stub');
  });

  it('names an unknown voice and the fix', async () => {
    const error = isError('not-found', /^de_DE-nobody-low: unknown natural voice\. Use a name from the list/);
    await assert.rejects(managerOf().card('de_DE-nobody-low', signal), error);
    await assert.rejects(managerOf().card('../../etc/passwd', signal), { kind: 'not-found' });
  });

  it('uses the shipped catalogue if the refreshed one is damaged, and reports it', async () => {
    const manager = await refreshed();
    const file = at('data', 'natural-catalogue.json');
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -20));
    assert.ok(manager.available().length > 100);
    assert.match(manager.problem ?? '', /natural-catalogue\.json: damaged/);
  });

  it('replaces a catalogue only by a whole one', async () => {
    const manager = await refreshed();
    await writeFile(at('repository', 'voices.json'), '{"de_DE-stub-medium": {"files": {}}}');
    await assert.rejects(manager.refresh(signal), isError('invalid', /The present catalogue remains/));
    await rm(at('repository', 'voices.json'));
    await assert.rejects(manager.refresh(signal), isError('not-found', /voices\.json/));
    assert.equal(manager.available().length, 2);
  });
});
