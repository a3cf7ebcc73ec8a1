import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type ListenAddress, parseListenAddress } from '../../../../service/cli/settings/listen-address.js';
import { readSettings } from '../../../../service/cli/settings/read-settings.js';
import { settingFlags, settingsHelp, withSwitchValues } from '../../../../service/cli/settings/spellings.js';

describe('reading the settings', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-settings-'));
  });
  after(async () => rm(folder, { recursive: true }));

  const written = async (content: string) => {
    const file = path.join(folder, 'settings.json');
    await writeFile(file, content);
    return file;
  };
  const refused = (flags: Record<string, unknown>, env: NodeJS.ProcessEnv, words: RegExp) =>
    assert.throws(() => readSettings(flags, env), { name: 'UsageError', message: words });

  it('prefers a flag to a variable, a variable to the settings file, and the file to the default', async () => {
    const config = await written('{"port": 1, "host": "file", "data": "/file", "logLevel": "none"}');
    const env = { HERALD_CONFIG: config, HERALD_HOST: 'environment', HERALD_DATA: '/environment' };
    const { port, host, data, logLevel, grace } = readSettings({ data: '/flag' }, env);
    assert.deepEqual([port, host, data, logLevel, grace], [1, 'environment', '/flag', 'none', 2000]);
  });

  it('reads the same value from a flag, a variable and the settings file', async () => {
    const config = await written(
      '{"speechTimeout": 1500, "idleTimeout": 900, "requestTimeout": 20000, "grace": 10}',
    );
    const env = {
      HERALD_SPEECH_TIMEOUT: '1500',
      HERALD_IDLE_TIMEOUT: '900',
      HERALD_REQUEST_TIMEOUT: '20000',
      HERALD_GRACE: '10',
    };
    const flags = {
      'speech-timeout': '1500',
      'idle-timeout': '900',
      'request-timeout': '20000',
      grace: '10',
    };
    assert.deepEqual(readSettings({ config }, {}), readSettings({}, env));
    assert.deepEqual(readSettings(flags, {}), readSettings({}, env));
    assert.equal(readSettings(flags, {}).idleTimeout, 900);
  });

  it('puts natural voices into the data folder, unless a setting names another folder', () => {
    const { voices, voicesUrl, simpleVoiceAfter } = readSettings({ data: '/data' }, {});
    assert.deepEqual([voices, voicesUrl, simpleVoiceAfter], [path.resolve('/data', 'voices'), '', 0]);
    assert.equal(readSettings({}, { HERALD_VOICES: '/shared' }).voices, path.resolve('/shared'));
    for (const place of [
      'https://mirror.example/voices',
      'http://127.0.0.1:80',
      '/media/voices',
      'C:\\voices',
    ]) {
      assert.equal(readSettings({ 'voices-url': place }, {}).voicesUrl, place);
    }
  });

  it('reads a switch alike from a flag, a variable and the settings file', async () => {
    for (const [isOn, values] of [
      [true, ['on', 'ON', 'true', '1', true, 1]],
      [false, ['off', 'Off', 'false', '0', false, 0]],
    ] as const) {
      for (const value of values) {
        const word = String(value);
        const config = await written(
          JSON.stringify({ metrics: value, mark: value, wyomingAnnounce: value, wyoming: 10200 }),
        );
        const flags = { metrics: word, mark: word, 'wyoming-announce': word, wyoming: '10200' };
        const env = {
          HERALD_METRICS: word,
          HERALD_MARK: word,
          HERALD_WYOMING_ANNOUNCE: word,
          HERALD_WYOMING: '10200',
        };
        for (const settings of [
          readSettings({ config }, {}),
          readSettings({}, env),
          readSettings(flags, {}),
        ]) {
          const { metrics, mark, wyomingAnnounce, wyoming } = settings;
          const name = isOn ? 'on' : 'off';
          assert.deepEqual([metrics, mark, wyomingAnnounce, wyoming], [isOn, isOn, name, '10200'], word);
        }
      }
    }
    refused({}, { HERALD_MARK: 'maybe' }, /^HERALD_MARK: mark is "maybe": expected on or off/);
    refused({ config: await written('{"mark": "maybe"}') }, {}, /mark is "maybe": expected on or off/);
  });

  it('rejects a list as a switch, and accepts any name to announce Wyoming', async () => {
    refused({ config: await written('{"mark": ["on"]}') }, {}, /mark is .*: expected on or off/);
    refused({ config: await written('{"wyomingAnnounce": ["on"]}') }, {}, /expected on, off, or a name/);
    for (const name of ['constructor', 'toString', 'Kitchen'])
      assert.equal(readSettings({ 'wyoming-announce': name, wyoming: '10200' }, {}).wyomingAnnounce, name);
  });

  it('turns a switch on by its flag alone', () => {
    const parsed = (...args: string[]) => withSwitchValues(args);
    assert.deepEqual(parsed('--metrics', '--mark', 'off'), ['--metrics=on', '--mark', 'off']);
    assert.deepEqual(parsed('--mark', '--metrics=off'), ['--mark=on', '--metrics=off']);
    assert.deepEqual(parsed('--port', '0', '--metrics'), ['--port', '0', '--metrics=on']);
  });

  it('reads the word after a switch as its value if the word means on or off, or is the last one', () => {
    const parsed = (...args: string[]) => withSwitchValues(args);
    assert.deepEqual(parsed('--metrics', 'accounts', 'list'), ['--metrics=on', 'accounts', 'list']);
    assert.deepEqual(parsed('--metrics', 'OFF', 'accounts'), ['--metrics', 'OFF', 'accounts']);
    assert.deepEqual(parsed('--metrics', 'maybe'), ['--metrics', 'maybe']);
    assert.deepEqual(parsed('--metrics', '--', '--mark', 'x'), ['--metrics=on', '--', '--mark', 'x']);
    assert.deepEqual(parsed('--', '--mark', '--metrics'), ['--', '--mark', '--metrics']);
  });

  it('reads the address of Wyoming with and without a host', () => {
    const places: [string, ListenAddress | undefined][] = [
      ['10200', { host: '127.0.0.1', port: 10_200 }],
      ['0.0.0.0:10200', { host: '0.0.0.0', port: 10_200 }],
      ['speech.local:10200', { host: 'speech.local', port: 10_200 }],
      ['[::1]:10200', { host: '::1', port: 10_200 }],
      ['65536', undefined],
      ['::1:10200', undefined],
      ['tcp://0.0.0.0:10200', undefined],
      ['host:', undefined],
    ];
    for (const [text, place] of places) {
      assert.deepEqual(parseListenAddress(text), place, text);
      if (place !== undefined) assert.equal(readSettings({ wyoming: text }, {}).wyoming, text);
      else refused({ wyoming: text }, {}, /^wyoming is .*: expected a port/);
    }
    refused(
      { 'wyoming-announce': 'x'.repeat(64) },
      {},
      /^wyomingAnnounce is .*: expected on, off, or a name/,
    );
  });

  it('rejects an unknown setting and an invalid value, and names the setting', async () => {
    refused({ config: await written('{"prot": 1}') }, {}, /settings\.json: .*"prot"/);
    refused({ config: await written('{"port": "80"}') }, {}, /settings\.json: port is "80"/);
    refused({ config: await written('{"port": ') }, {}, /settings\.json: /);
    refused({ config: path.join(folder, 'missing') }, {}, /missing/);
    refused({ port: '65536' }, {}, /^port is 65536: expected an integer from 0 to 65535/);
    refused({}, { HERALD_PORT: 'x' }, /^HERALD_PORT: port is "x"/);
    refused({ grace: '-1' }, {}, /^grace is "-1": expected milliseconds/);
    refused({ 'log-level': 'loud' }, {}, /^logLevel is "loud": expected one of info, error, none/);
    refused({ data: '' }, {}, /^data is ""/);
    refused({ voices: '' }, {}, /^voices is ""/);
    refused(
      {},
      { HERALD_VOICES_URL: 'ftp://me:secret@mirror' },
      /^HERALD_VOICES_URL: voicesUrl is "ftp:\/\/mirror": expected a folder, or a URL/,
    );
    refused(
      {},
      { HERALD_VOICES_URL: 'https://me:a/b@c@mirror' },
      /^HERALD_VOICES_URL: voicesUrl is "https:\/\/mirror": expected a folder, or a URL/,
    );
    refused({ 'simple-voice-after': '-1' }, {}, /^simpleVoiceAfter is "-1": expected .* from 0 to/);
  });

  it('ignores a blank variable', () => {
    const names = [...settingsHelp.matchAll(/HERALD_\w+/g)].map(([name]) => name);
    for (const blank of ['', ' ']) {
      const env = Object.fromEntries([...names, 'HERALD_CONFIG'].map((name) => [name, blank]));
      assert.deepEqual(readSettings({}, env), readSettings({}, {}));
    }
    assert.equal(names.length, Object.keys(settingFlags).length);
  });

  it('ignores an invalid variable if its flag is set', async () => {
    const env = { HERALD_PORT: 'x', HERALD_LOG_LEVEL: 'loud', HERALD_CONFIG: path.join(folder, 'missing') };
    const flags = { port: '81', 'log-level': 'none', config: await written('{}') };
    assert.deepEqual(readSettings(flags, env), readSettings(flags, {}));
    refused({ port: '81', config: flags.config }, env, /^HERALD_LOG_LEVEL: logLevel is "loud"/);
  });

  it('lists every setting in the help', () => {
    for (const flag of Object.keys(settingFlags)) assert.ok(settingsHelp.includes(`--${flag} `), flag);
  });
});
