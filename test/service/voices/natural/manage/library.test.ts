import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { VoiceLibrary } from '../../../../../service/voices/natural/manage/library.js';
import type { InstallProgress } from '../../../../../service/voices/natural/install/install-control.js';
import { filesOf, writeRepository } from '../../../../support/natural/voice-repository.js';
import { writeStubVoice } from '../../../../support/natural/stub-voice.js';
import { modelIn, seedMeasurement } from '../catalogue/support.js';
import { isError } from '../support.js';
import { useFolder } from '../../../../support/folder.js';

const NAME = 'de_DE-stub-medium';
const { signal } = new AbortController();
const silent = { signal, onProgress: () => {} };

describe('the library of natural voices', () => {
  const at = useFolder();
  beforeEach(() =>
    writeRepository(at('repository'), [
      { name: NAME, licence: 'CC0' },
      { name: 'en_GB-duo-low', licence: 'CC BY-NC 4.0', speakers: ['anna', 'ben'] },
    ]),
  );

  const libraryOf = (repository = at('repository')) =>
    new VoiceLibrary({ voices: at('voices'), data: at('data'), voicesUrl: repository }, 0);

  /** Returns a library with the catalogue of the repository. */
  async function refreshed() {
    const library = libraryOf();
    await library.refresh(signal);
    return library;
  }

  async function install(library: VoiceLibrary, name: string) {
    const phases: InstallProgress['phase'][] = [];
    const { sha256: card } = await library.card(name, signal);
    const onProgress = ({ phase }: InstallProgress) => void phases.push(phase);
    await library.run({ kind: 'install', name, card }, { signal, onProgress });
    return [...new Set(phases)];
  }

  /** The time of a measurement is not the matter of most tests. */
  const installFast = (library: VoiceLibrary, name: string) => {
    seedMeasurement(at('data'), modelIn(at('repository'), name));
    return install(library, name);
  };

  const find = (library: VoiceLibrary, name: string) =>
    library.available().find((voice) => voice.name === name) ?? assert.fail(`${name} is missing`);

  it('lists the shipped catalogue until the user refreshes it, and then the new one', async () => {
    const library = libraryOf();
    assert.ok(library.available().length > 100);
    assert.equal(library.catalogue.date, null);
    assert.deepEqual(await library.refresh(signal), { voices: 2, invalid: [] });
    assert.equal(library.available().length, 2);
    assert.equal(libraryOf().available().length, 2);
    assert.equal(new Date(library.catalogue.date ?? '').toISOString(), library.catalogue.date);
  });

  it('reads the licence from the model card', async () => {
    const library = await refreshed();
    const { licence, isNonCommercial, text, bytes } = await library.card('en_GB-duo-low', signal);
    assert.deepEqual([licence, isNonCommercial], ['CC BY-NC 4.0', true]);
    assert.match(text, /License: CC BY-NC 4\.0/);
    assert.equal(bytes, find(library, 'en_GB-duo-low').bytes);
  });

  it('installs a voice with the licence of its card, in the documented phases', async () => {
    const library = await refreshed();
    const phases = await installFast(library, 'en_GB-duo-low');
    assert.deepEqual(phases.slice(0, 2), ['card', 'download']);
    const { installed, licence, isNonCommercial } = find(library, 'en_GB-duo-low');
    assert.deepEqual([licence, isNonCommercial, installed?.licence], ['CC BY-NC 4.0', true, 'CC BY-NC 4.0']);
    assert.deepEqual(installed?.voiceIds, ['en_GB-duo-low-anna', 'en_GB-duo-low-ben']);
    assert.deepEqual(await library.verify('en_GB-duo-low', signal), []);
  });

  it('measures an installed voice that is not measured, and forgets the figures when it removes the voice', async () => {
    const library = await refreshed();
    await installFast(library, NAME);
    await rm(at('data', 'measurements'), { recursive: true });
    assert.equal(find(library, NAME).installed?.realTimeFactor, null);
    assert.deepEqual(await install(library, NAME), ['measure']);
    const { installed } = find(library, NAME);
    assert.ok(installed?.realTimeFactor !== null && installed?.isLive === true);
    assert.ok((installed.memoryBytes ?? 0) > 1e6);
    await library.run({ kind: 'remove', name: NAME }, silent);
    assert.equal(find(library, NAME).installed, null);
    await assert.rejects(readFile(at('data', 'measurements', `${NAME}.json`)), { code: 'ENOENT' });
  });

  it('rejects the consent with another model card, and installs nothing', async () => {
    const library = await refreshed();
    const { sha256: card } = await library.card(NAME, signal);
    const [, , place = ''] = filesOf(NAME);
    await writeFile(at('repository', place), '* License: all rights reserved');
    await assert.rejects(
      library.run({ kind: 'install', name: NAME, card }, silent),
      isError('consent', /the model card differs from the accepted one/),
    );
    assert.equal(find(library, NAME).installed, null);
  });

  it('accepts a model card that the repository corrected after the refresh', async () => {
    const library = await refreshed();
    const [, , place = ''] = filesOf(NAME);
    await writeFile(at('repository', place), '# Corrected\n\n* License: CC BY 4.0\n');
    await installFast(library, NAME);
    assert.equal(find(library, NAME).installed?.licence, 'CC BY 4.0');
  });

  const faults = { opset: 'needs a version', zeros: 'only silence' } as const;
  for (const fault of ['opset', 'zeros'] as const) {
    it(`removes a voice again that cannot speak, with the reason (${fault})`, async () => {
      await rm(at('repository'), { recursive: true });
      await writeRepository(at('repository'), [{ name: NAME, fault }]);
      const library = await refreshed();
      const problem = new RegExp(`cannot speak here \\(.*${faults[fault]}.*\\)\\. It was removed again`);
      await assert.rejects(install(library, NAME), isError('invalid', problem));
      assert.equal(find(library, NAME).installed, null);
    });
  }

  it('keeps an installed voice that cannot be measured: other computers may share its folder', async () => {
    await rm(at('repository'), { recursive: true });
    await writeRepository(at('repository'), [{ name: NAME, fault: 'opset' }]);
    const library = await refreshed();
    await installFast(library, NAME);
    await rm(at('data', 'measurements'), { recursive: true });
    await assert.rejects(install(library, NAME), isError('invalid', /It remains installed/));
    assert.equal(await library.isWhole(NAME, signal), true);
  });

  it('reports a voice that a user removes during its measurement', async () => {
    await rm(at('repository'), { recursive: true });
    await writeRepository(at('repository'), [{ name: NAME, fault: 'opset' }]);
    const library = await refreshed();
    const { sha256: card } = await library.card(NAME, signal);
    let removal: Promise<unknown> | undefined;
    const onProgress = ({ phase }: InstallProgress) => {
      if (phase === 'measure') removal ??= library.run({ kind: 'remove', name: NAME }, silent);
    };
    await assert.rejects(
      library.run({ kind: 'install', name: NAME, card }, { signal, onProgress }),
      isError('cancelled', /was removed during its measurement/),
    );
    await removal;
    assert.equal(find(library, NAME).installed, null);
    await assert.rejects(readFile(at('data', 'measurements', `${NAME}.json`)), { code: 'ENOENT' });
  });

  it('asks for the consent to an imported voice whose card the user has not seen', async () => {
    const library = await refreshed();
    seedMeasurement(at('data'), modelIn(at('repository'), NAME));
    const [, , place = ''] = filesOf(NAME);
    const card = await readFile(at('repository', place));
    await rm(at('repository', place));
    await library.run({ kind: 'import', from: path.dirname(modelIn(at('repository'), NAME)) }, silent);
    assert.equal(await library.isWhole(NAME, signal), false);
    await writeFile(at('repository', place), card);
    const { sha256 } = await library.card(NAME, signal);
    const install = (card: string) => library.run({ kind: 'install', name: NAME, card }, silent);
    await assert.rejects(install('0'.repeat(64)), isError('consent', /differs/));
    await install(sha256);
    assert.equal(library.list()[0]?.record.consent.cardSha256, sha256);
  });

  it('loads the catalogue for two callers at the same time', async () => {
    const libraries = Array.from({ length: 8 }, () => libraryOf());
    await Promise.all(libraries.map((library) => library.refresh(signal)));
    assert.equal(libraryOf().catalogue.problem, undefined);
    assert.equal(libraryOf().available().length, 2);
  });

  it('needs neither consent nor network for a voice that is installed', async () => {
    const library = await refreshed();
    await installFast(library, NAME);
    await rm(at('repository'), { recursive: true });
    await library.run({ kind: 'install', name: NAME, card: '' }, silent);
    assert.equal(await library.isWhole(NAME, signal), true);
  });

  it('repairs an installed voice whose model changed without a change of its size', async () => {
    const library = await refreshed();
    await installFast(library, NAME);
    const model = at('voices', NAME, `${NAME}.onnx`);
    const whole = await readFile(model);
    await writeFile(model, Buffer.from(whole).fill(7, 100, 200));
    assert.match((await library.verify(NAME, signal)).join(), /SHA-256 .* install the voice again/);
    assert.equal(await library.isWhole(NAME, signal), false);
    await install(library, NAME);
    assert.deepEqual(await readFile(model), whole);
    assert.deepEqual(await library.verify(NAME, signal), []);
  });

  it('accepts a whole voice that the catalogue does not contain', async () => {
    const own = 'de_DE-mine-medium';
    seedMeasurement(at('data'), await writeStubVoice(at('own'), { name: own }));
    const library = libraryOf();
    assert.deepEqual(await library.run({ kind: 'import', from: at('own') }, silent), [own]);
    assert.deepEqual(await library.run({ kind: 'install', name: own, card: '' }, silent), [own]);
  });

  it('lists an installed voice that the catalogue no longer has', async () => {
    const library = await refreshed();
    await installFast(library, NAME);
    await rm(at('repository'), { recursive: true });
    await writeRepository(at('repository'), [{ name: 'en_GB-duo-low', speakers: ['anna', 'ben'] }]);
    await library.refresh(signal);
    assert.deepEqual(find(library, NAME).installed?.voiceIds, [NAME]);
    assert.equal(find(library, NAME).title, 'Stub');
  });

  it('names an unknown voice and the fix', async () => {
    const error = isError('not-found', /^de_DE-nobody-low: unknown natural voice\. Use a name from the list/);
    await assert.rejects(libraryOf().card('de_DE-nobody-low', signal), error);
    await assert.rejects(libraryOf().card('../../etc/passwd', signal), { kind: 'not-found' });
  });

  it('uses the shipped catalogue if the refreshed one is damaged, and reports it', async () => {
    const library = await refreshed();
    const file = at('data', 'natural-catalogue.json');
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -20));
    assert.ok(library.available().length > 100);
    assert.match(library.catalogue.problem ?? '', /natural-catalogue\.json: damaged/);
  });

  it('replaces a catalogue only by a whole one', async () => {
    const library = await refreshed();
    await writeFile(at('repository', 'voices.json'), '{"de_DE-stub-medium": {"files": {}}}');
    await assert.rejects(library.refresh(signal), isError('invalid', /The present catalogue remains/));
    await rm(at('repository', 'voices.json'));
    await assert.rejects(library.refresh(signal), isError('not-found', /voices\.json/));
    assert.equal(library.available().length, 2);
  });
});
