import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { sourceError } from '../../../../../service/voices/natural/transfer/folder-source.js';
import { openVoiceSource } from '../../../../../service/voices/natural/transfer/open-source.js';
import { VoiceFolder } from '../../../../../service/voices/natural/install/voice-folder.js';
import type { InstallProgress } from '../../../../../service/voices/natural/install/install-control.js';
import { leavingNothing } from '../../../../support/leftovers.js';
import { writeStubVoice } from '../../../../support/natural/stub-voice.js';
import { withoutStrayErrors } from '../../../../support/stray-errors.js';
import {
  type MirrorFault,
  type MirrorRequest,
  withVoiceMirror,
} from '../../../../support/natural/voice-mirror.js';
import { consentWith, entryOf, isError, testLimits } from '../support.js';
import { useFolder } from '../../../../support/folder.js';

const NAME = 'de_DE-stub-medium';
const PLACE = 'de/de_DE/stub/medium';

describe('the folder of natural voices', () => {
  const place = useFolder();
  const voices = () => place('voices');
  const stub = (file: string) => place('mirror', PLACE, file);
  const installed = (...names: string[]) => place('voices', NAME, ...names);
  beforeEach(() =>
    writeStubVoice(place('mirror', PLACE), { name: NAME, licence: 'CC0', weightBytes: 200_000 }),
  );

  const names = (folder = new VoiceFolder(voices())) => folder.list().map(({ name }) => name);
  const partial = () => (existsSync(place('voices/.partial')) ? readdirSync(place('voices/.partial')) : []);

  interface Options {
    faultOf?: (request: MirrorRequest) => MirrorFault | undefined;
    signal?: AbortSignal;
    onProgress?(progress: InstallProgress): void;
    folder?: VoiceFolder;
    change?: object;
    cardSha256?: string;
  }
  const install = ({ faultOf, signal, onProgress, folder, change, ...more }: Options = {}) =>
    withVoiceMirror(
      place('mirror'),
      async ({ url, requests }) => {
        const entry = { ...entryOf(place('mirror'), PLACE, NAME), ...change };
        const source = openVoiceSource(url, testLimits);
        const work = {
          signal: signal ?? new AbortController().signal,
          onProgress: onProgress ?? (() => undefined),
        };
        const consent = { ...consentWith(place('mirror', PLACE)), ...more };
        const voice = await (folder ?? new VoiceFolder(voices())).install(entry, source, consent, work);
        return { voice, requests, url };
      },
      faultOf,
    );
  const refuses = async (options: Options, ...expected: Parameters<typeof isError>) => {
    await withoutStrayErrors(() =>
      leavingNothing(() => assert.rejects(install(options), isError(...expected))),
    );
    assert.deepEqual(names(), []);
  };
  const isModel = ({ file }: MirrorRequest) => file.endsWith('.onnx');

  describe('an installation', () => {
    it('downloads a voice, and records its origin, its digests and the consent', async () => {
      const progress: InstallProgress[] = [];
      const { voice, url } = await install({ onProgress: (one) => progress.push(one) });
      const [listed] = new VoiceFolder(voices()).list();
      assert.deepEqual(listed, voice);
      assert.equal(voice.config.sampleRate, 22_050);
      const { record } = voice;
      assert.equal(record.source, url);
      const { isNonCommercial, ...consent } = consentWith(place('mirror', PLACE));
      assert.deepEqual(record.consent, consent);
      assert.equal(record.isNonCommercial, isNonCommercial);
      assert.deepEqual(Object.keys(record.files).toSorted(), [
        'MODEL_CARD',
        `${NAME}.onnx`,
        `${NAME}.onnx.json`,
      ]);
      assert.ok(readFileSync(voice.model).equals(readFileSync(stub(`${NAME}.onnx`))));
      assert.deepEqual([...new Set(progress.map(({ phase }) => phase))], ['card', 'download', 'check']);
      const { bytes, total } = progress.at(-1) ?? assert.fail();
      assert.equal(bytes, total);
      assert.ok(progress.every((one) => one.bytes <= one.total));
      assert.deepEqual(partial(), []);
      assert.deepEqual(await new VoiceFolder(voices()).verify(NAME), []);
    });

    it('copies from a folder in place of an address', async () => {
      const source = openVoiceSource(place('mirror'));
      const work = { signal: new AbortController().signal, onProgress: () => undefined };
      const entry = entryOf(place('mirror'), PLACE, NAME);
      await new VoiceFolder(voices()).install(entry, source, consentWith(place('mirror', PLACE)), work);
      assert.deepEqual(names(), [NAME]);
      truncateSync(stub(`${NAME}.onnx`), 1000);
      const again = new VoiceFolder(place('others')).install(
        entry,
        source,
        consentWith(place('mirror', PLACE)),
        work,
      );
      await assert.rejects(again, isError('digest', /1000 bytes, expected \d+/));
      rmSync(stub(`${NAME}.onnx.json`));
      const missing = new VoiceFolder(place('others')).install(
        entry,
        source,
        consentWith(place('mirror', PLACE)),
        work,
      );
      await assert.rejects(missing, isError('not-found', /no such file.*Copy the missing file/));
      assert.deepEqual(readdirSync(place('others/.partial')), []);
    });

    it('keeps a whole voice of the same version, and replaces a damaged one', async () => {
      await install();
      assert.deepEqual((await install()).requests, []);
      writeFileSync(installed(`${NAME}.onnx`), Buffer.alloc(statSync(installed(`${NAME}.onnx`)).size));
      assert.equal((await new VoiceFolder(voices()).verify(NAME)).length, 1);
      await install();
      assert.deepEqual(await new VoiceFolder(voices()).verify(NAME), []);
      assert.deepEqual(partial(), []);
    });

    it('takes a new model card without a second download of the model', async () => {
      await install();
      writeFileSync(stub('MODEL_CARD'), 'License: MIT');
      const { requests, voice } = await install();
      assert.equal(requests.filter(isModel).length, 0);
      assert.equal(voice.record.consent.cardSha256, consentWith(place('mirror', PLACE)).cardSha256);
      assert.deepEqual(await new VoiceFolder(voices()).verify(NAME), []);
    });

    it('continues after a failure of the network and after an abort', async () => {
      const half = statSync(stub(`${NAME}.onnx`)).size >> 1;
      const stops = (request: MirrorRequest) => (isModel(request) ? { cutAt: half } : undefined);
      await refuses({ faultOf: stops }, 'network', /connection was lost/);
      const stop = new AbortController();
      let received = 0;
      const abortAfterModel = ({ bytes }: InstallProgress) => {
        received = bytes;
        if (bytes > half) stop.abort();
      };
      const stalls = (request: MirrorRequest) => (isModel(request) ? { stallAt: half + 10 } : undefined);
      await refuses(
        { faultOf: stalls, signal: stop.signal, onProgress: abortAfterModel },
        'cancelled',
        /cancelled/,
      );
      const { requests } = await install();
      const [model] = requests.filter(isModel);
      const [, start] = /^bytes=(\d+)-$/.exec(model?.headers.range ?? '') ?? [];
      assert.ok(Number(start) >= half, `${start} of ${received}`);
      assert.equal(requests.filter(({ file }) => file.endsWith('.json')).length, 0);
      assert.deepEqual(partial(), []);
    });

    it('leaves nothing after a wrong digest, a wrong size and a web page', async () => {
      const size = statSync(stub(`${NAME}.onnx`)).size;
      const contents = [Buffer.alloc(size), Buffer.alloc(size - 1), readFileSync(stub(`${NAME}.onnx.json`))];
      for (const content of contents) {
        await refuses(
          { faultOf: (one) => (isModel(one) ? { content } : undefined) },
          'digest',
          /stub-medium/,
        );
        assert.deepEqual(partial(), []);
      }
      const page = Buffer.from('<!doctype html>');
      await refuses({ faultOf: () => ({ content: page }) }, 'network', /web page/);
    });

    it('refuses a model card that the user did not accept', async () => {
      await refuses({ cardSha256: '0'.repeat(64) }, 'consent', /MODEL_CARD: .*Read its licence/);
      assert.deepEqual(partial(), []);
    });

    it('refuses a config that Herald cannot use before it downloads the model', async () => {
      const config = JSON.parse(readFileSync(stub(`${NAME}.onnx.json`), 'utf8'));
      const wrong: Array<[object, RegExp]> = [
        [{ phoneme_id_map: undefined }, /phoneme_id_map/],
        [{ phoneme_id_map: {} }, /"_", "\^", "\$" is missing/],
        [{ num_symbols: 10 }, /expected ids from 0 to num_symbols - 1 = 9/],
        [{ audio: { sample_rate: 4000 } }, /audio\.sample_rate.* 8000 to 48000 hertz/],
        [{ phoneme_type: 'pinyin' }, /phoneme_type.*espeak, text/],
      ];
      for (const [change, words] of wrong) {
        writeFileSync(stub(`${NAME}.onnx.json`), JSON.stringify({ ...config, ...change }));
        const seen: string[] = [];
        const faultOf = ({ file }: MirrorRequest) => void seen.push(file);
        await refuses({ faultOf }, 'invalid', words);
        assert.ok(!seen.some((file) => file.endsWith('.onnx')));
        assert.deepEqual(partial(), []);
      }
    });

    it('refuses names and paths of a catalogue that leave the folder', async () => {
      for (const name of ['../evil', '.partial', 'a/b', 'C:', '', 'x'.repeat(200)])
        await refuses({ change: { name } }, 'invalid', /voice ".*": the name of a voice/);
      const { files } = entryOf(place('mirror'), PLACE, NAME);
      const outside = files.map((file) => ({ ...file, path: `../${file.path}` }));
      await refuses({ change: { files: outside } }, 'invalid', /expected a relative path/);
      await refuses(
        { change: { files: files.slice(1) } },
        'invalid',
        /expected the files de_DE-stub-medium\.onnx and/,
      );
      assert.deepEqual(readdirSync(place()), ['mirror']);
    });

    it('reports that the same voice is already being installed', async () => {
      let isOpen = (): void => undefined;
      const opened = new Promise<void>((resolve) => (isOpen = resolve));
      const stop = new AbortController();
      const faultOf = (request: MirrorRequest) => {
        if (isModel(request)) isOpen();
        return isModel(request) ? { stallAt: 1000 } : undefined;
      };
      const folder = new VoiceFolder(voices());
      const first = install({ faultOf, signal: stop.signal, folder }).catch((error: unknown) => error);
      await opened;
      const busy = isError('busy', new RegExp(`process ${process.pid} installs or removes this voice`));
      await assert.rejects(install({ folder }), busy);
      mkdirSync(place('voices', NAME));
      await assert.rejects(folder.remove(NAME), busy);
      stop.abort();
      await first;
      await install({ folder });
      assert.deepEqual(names(folder), [NAME]);
    });

    it('installs two voices at once', async () => {
      const other = 'de_DE-other-low';
      await writeStubVoice(place('mirror', 'other'), { name: other });
      await Promise.all([
        install(),
        withVoiceMirror(place('mirror'), ({ url }) =>
          new VoiceFolder(voices()).install(
            entryOf(place('mirror'), 'other', other),
            openVoiceSource(url, testLimits),
            consentWith(place('mirror', 'other')),
            { signal: new AbortController().signal, onProgress: () => undefined },
          ),
        ),
      ]);
      assert.deepEqual(names(), [other, NAME]);
    });

    it('reports missing space before it downloads, with the needed and the free bytes', async () => {
      const files = entryOf(place('mirror'), PLACE, NAME).files.map((file, index) =>
        index === 0 ? { ...file, bytes: 1e15 } : file,
      );
      await refuses({ change: { files } }, 'disk', /needs \d+\.\d MB, .* has \d+\.\d MB free/);
    });
  });

  describe('the list', () => {
    it('is the same array until the folder changes', async () => {
      await install();
      const [folder, rare] = [new VoiceFolder(voices(), 0), new VoiceFolder(voices(), 3_600_000)];
      const [before, old] = [folder.list(), rare.list()];
      assert.equal(folder.list(), before);
      renameSync(installed(), place('away'));
      assert.deepEqual(folder.list(), []);
      assert.equal(rare.list(), old);
    });

    it('leaves out a voice with a missing, short or damaged file', async () => {
      await install();
      for (const file of readdirSync(installed())) {
        const content = readFileSync(installed(file));
        rmSync(installed(file));
        assert.deepEqual(names(), [], `without ${file}`);
        assert.match(
          String(await new VoiceFolder(voices()).verify(NAME)),
          / is missing\. Install the voice again, or import/,
        );
        writeFileSync(installed(file), content.subarray(0, content.length >> 1));
        assert.deepEqual(names(), [], `half ${file}`);
        writeFileSync(installed(file), content);
        assert.deepEqual(names(), [NAME]);
      }
      writeFileSync(installed('installed.json'), '{"name": "../../x"}');
      assert.deepEqual(names(), []);
      assert.deepEqual(new VoiceFolder(voices()).names(), [NAME]);
    });

    it('leaves out a voice whose record is too large, or a pipe', async () => {
      await install();
      writeFileSync(installed('installed.json'), ' '.repeat(4_000_001));
      assert.match(String(await new VoiceFolder(voices()).verify(NAME)), /4000000 bytes at most/);
      assert.deepEqual(names(), []);
      rmSync(installed('installed.json'));
      if (process.platform !== 'win32') execFileSync('mkfifo', [installed('installed.json')]);
      assert.deepEqual(names(), []);
    });

    it('is empty for a missing folder, and for a file in its place', () => {
      assert.deepEqual(names(), []);
      writeFileSync(voices(), '');
      assert.deepEqual(names(), []);
    });

    it('finds a voice that another process installed or removed', async () => {
      const other = new VoiceFolder(voices(), 0);
      assert.deepEqual(names(other), []);
      await install();
      assert.deepEqual(names(other), [NAME]);
      await new VoiceFolder(voices()).remove(NAME);
      assert.deepEqual(names(other), []);
    });
  });

  it('removes a voice and its files at once, and leaves other voices', async () => {
    const folder = new VoiceFolder(voices());
    await install({ folder });
    await cp(installed(), place('voices', 'fr_FR-broken-low'), { recursive: true });
    await folder.remove(NAME);
    assert.deepEqual(names(folder), []);
    assert.deepEqual(folder.names(), ['fr_FR-broken-low']);
    assert.deepEqual(partial(), []);
    await folder.remove('fr_FR-broken-low');
    await assert.rejects(folder.remove(NAME), isError('not-found', /not installed in/));
    await assert.rejects(folder.remove('../mirror'), isError('invalid', /the name of a voice/));
    await assert.rejects(folder.verify(NAME), isError('not-found', /not installed in/));
  });

  it('deletes the rests of removed voices and old downloads, and keeps new ones', async () => {
    for (const name of ['.removed-1', 'old-voice', 'new-voice']) {
      mkdirSync(place('voices/.partial', name, 'voice'), { recursive: true });
      writeFileSync(place('voices/.partial', name, 'voice/x.onnx.part'), 'x');
    }
    const old = Date.now() / 1000 - 8 * 86_400;
    for (const file of ['x.onnx.part', ''])
      utimesSync(place('voices/.partial/old-voice/voice', file), old, old);
    await install();
    assert.deepEqual(partial(), ['new-voice']);
    assert.equal(readFileSync(place('voices/.partial/new-voice/voice/x.onnx.part'), 'utf8'), 'x');
  });

  describe('an import', () => {
    const work = { signal: new AbortController().signal, onProgress: () => undefined };
    const importFrom = (folder: string, more = {}) =>
      new VoiceFolder(voices()).importFrom(folder, { ...work, ...more });

    it('copies a voice with its licence', async () => {
      const [voice] = await importFrom(place('mirror', PLACE));
      assert.equal(voice?.name, NAME);
      const { licence, language, region, quality, title, source, consent } = voice.record;
      assert.deepEqual(
        { licence, language, region, quality, title },
        {
          licence: 'CC0',
          language: 'de',
          region: 'DE',
          quality: 'medium',
          title: 'Stub',
        },
      );
      assert.equal(source, place('mirror', PLACE));
      assert.equal(consent.cardSha256, consentWith(place('mirror', PLACE)).cardSha256);
      assert.deepEqual(names(), [NAME]);
      assert.deepEqual(await new VoiceFolder(voices()).verify(NAME), []);
    });

    it('copies all voices below a folder, and knows no licence if several share a folder', async () => {
      for (const name of ['en_US-a-low', 'pt_PT-tugão-medium'])
        await writeStubVoice(place('mirror/both'), { name });
      const imported = await importFrom(place('mirror'));
      assert.deepEqual(names(), [NAME, 'en_US-a-low', 'pt_PT-tugão-medium']);
      const licences = Object.fromEntries(imported.map(({ name, record }) => [name, record.licence]));
      assert.deepEqual(licences, { [NAME]: 'CC0', 'en_US-a-low': null, 'pt_PT-tugão-medium': null });
      assert.equal(imported.find(({ name }) => name === 'en_US-a-low')?.record.consent.cardSha256, null);
    });

    it('imports the other voices if one is damaged, and reports each problem', async () => {
      await writeStubVoice(place('mirror/bad'), { name: 'en_US-bad-low' });
      writeFileSync(place('mirror/bad/._en_US-bad-low.onnx'), 'file of another system');
      rmSync(place('mirror/bad/en_US-bad-low.onnx.json'));
      writeFileSync(place('mirror/bad name.onnx'), '');
      await assert.rejects(
        importFrom(place('mirror')),
        isError(
          'invalid',
          /bad name.*\n.*en_US-bad-low\.onnx\.json: no such file.*\nImported: de_DE-stub-medium/,
        ),
      );
      assert.deepEqual(names(), [NAME]);
      assert.deepEqual(partial(), []);
    });

    it('keeps the licence and the limits of the catalogue if a voice has no model card', async () => {
      const entry = {
        ...entryOf(place('mirror'), PLACE, NAME),
        licence: 'CC BY-NC 4.0',
        isNonCommercial: true,
      };
      rmSync(place('mirror', PLACE, 'MODEL_CARD'));
      const [voice] = await importFrom(place('mirror'), { entryOf: () => entry });
      const { licence, isNonCommercial, consent } = voice?.record ?? assert.fail();
      assert.deepEqual([licence, isNonCommercial], ['CC BY-NC 4.0', true]);
      assert.equal(consent.cardSha256, null);
    });

    it('compares a voice of the catalogue with its digests', async () => {
      const entry = entryOf(place('mirror'), PLACE, NAME);
      const options = {
        entryOf: (name: string) => (name === NAME ? { ...entry, title: 'Catalogue' } : undefined),
      };
      const [voice] = await importFrom(place('mirror'), options);
      assert.equal(voice?.record.title, 'Catalogue');
      truncateSync(stub(`${NAME}.onnx`), 5000);
      await assert.rejects(importFrom(place('mirror'), options), isError('digest', /5000 bytes, expected/));
      assert.deepEqual(await new VoiceFolder(voices()).verify(NAME), []);
    });

    it('names the user who needs the right to read a source', () => {
      const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      const error = sourceError(denied, '/media/usb');
      assert.equal(error.kind, 'unreadable');
      assert.equal(
        error.message,
        '/media/usb: access denied. Permit reading to the user that runs the service',
      );
    });

    it('refuses a folder without voices, a missing folder and a language without a code of two letters', async () => {
      mkdirSync(place('empty'));
      await assert.rejects(
        importFrom(place('empty')),
        isError('no-voices', /no voices, expected NAME\.onnx/),
      );
      await assert.rejects(importFrom(place('missing')), isError('no-folder', /missing/));
      await writeStubVoice(place('mirror2'), { name: 'anna' });
      const config = JSON.parse(readFileSync(place('mirror2/anna.onnx.json'), 'utf8'));
      writeFileSync(
        place('mirror2/anna.onnx.json'),
        JSON.stringify({ ...config, language: { family: 'haw' } }),
      );
      await assert.rejects(
        importFrom(place('mirror2')),
        isError('invalid', /language "haw".*two letters.*Rename the files/),
      );
      writeFileSync(
        place('mirror2/anna.onnx.json'),
        JSON.stringify({ ...config, language: { code: 'de_AT' } }),
      );
      const [voice] = await importFrom(place('mirror2'));
      assert.equal(voice?.record.region, 'AT');
      writeFileSync(
        place('mirror2/anna.onnx.json'),
        JSON.stringify({ ...config, language: { family: 'cy' } }),
      );
      const [welsh] = await importFrom(place('mirror2'));
      assert.equal(welsh?.record.language, 'cy');
    });
  });
});
