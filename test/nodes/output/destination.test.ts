import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { operations, sniffAudio } from '@herald-speech/client';
import { accountOf } from '../../../nodes/account/account-node.js';
import { mp3Of } from '../../support/audio-files.js';
import { localAccount, speechNode, withFlow, withHostedFlow } from '../../support/node-red/flow.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { errorOf, speechOf } from '../../support/node-red/messages.js';
import { type Script, spoken } from '../../support/net/scripted-server.js';

const node = (more: object = {}) => speechNode('text-to-speech', { output: 'file', ...more });

/** Speaks in the requested format. */
const speak: Script = ({ json }) =>
  json['output_format'] === 'mp3' ? { headers: { 'content-type': 'audio/mpeg' }, body: mp3Of() } : spoken();

interface Unusable {
  properties?: object;
  message?: object;
  says: RegExp;
  settings?: object;
}

/** @param folder an existing folder */
const unusableIn = (folder: () => string): Record<string, () => Unusable> => ({
  'a missing folder': () => ({
    message: { filename: path.join(folder(), 'nowhere', 'a.wav') },
    says: /^folder ".*nowhere" does not exist: create it, or select “Create folder”/,
  }),
  'a folder that accepts no files': () => ({
    message: { filename: '/proc/a.wav' },
    says: /^file "\/proc\/a\.wav": /,
  }),
  'a folder in place of a file': () => ({
    message: { filename: path.join(folder(), 'taken') },
    says: /taken": this path is a folder/,
  }),
  'a pipe': () => ({
    message: { filename: path.join(folder(), 'pipe') },
    says: /pipe": a pipe, device or socket/,
  }),
  'a file as folder': () => ({
    message: { filename: path.join(folder(), 'note', 'a.wav') },
    says: /note\/a\.wav": /,
  }),
  'a name with NUL': () => ({ message: { filename: 'a\0.wav' }, says: /^file / }),
  'a name that is too long': () => ({
    message: { filename: path.join(folder(), `${'x'.repeat(300)}.wav`) },
    says: /ENAMETOOLONG/,
  }),
  'an MP3 file with the format WAV': () => ({
    properties: { output_format: 'wav' },
    message: { filename: path.join(folder(), 'a.mp3') },
    says: /a\.mp3": the audio has the format WAV: change the extension/,
  }),
  'a WAV file with the format MP3': () => ({
    properties: { output_format: 'mp3' },
    message: { filename: path.join(folder(), 'a.WAV') },
    says: /a\.WAV": the audio has the format MP3: /,
  }),
  'an extension of another audio format': () => ({
    message: { filename: path.join(folder(), 'a.ogg') },
    says: /a\.ogg": the audio has the format WAV: /,
  }),
  'a URL without HTTP routes': () => ({
    properties: { output: 'url' },
    settings: { httpNodeRoot: false },
    says: /^httpNodeRoot is false/,
  }),
  'a URL with a base URL without HTTP routes': () => ({
    properties: { output: 'url', base_url: 'http://kitchen:1880' },
    settings: { httpNodeRoot: false },
    says: /^httpNodeRoot is false/,
  }),
});

describe('a destination that cannot be used', () => {
  const folder = useDataFolder();
  before(async () => {
    await mkdir(path.join(folder(), 'taken'));
    await writeFile(path.join(folder(), 'note'), 'text');
    execFileSync('mkfifo', [path.join(folder(), 'pipe')]);
  });

  for (const [what, given] of Object.entries(unusableIn(folder))) {
    it(`sends the message to fatal before any request: ${what}`, () => {
      const { properties = {}, message = {}, says, settings = {} } = given();
      return withHostedFlow(
        speak,
        [node(properties)],
        async (flow, { requests }) => {
          flow.send('node', { payload: 'Hello.', ...message });
          const { message: text, route } = errorOf(await flow.out('fatal'));
          assert.match(text, says);
          assert.deepEqual([route, requests.length], ['fatal', 0]);
        },
        { settings },
      );
    });
  }

  it('is checked before the local service speaks', () =>
    withFlow([localAccount(), node()], async (flow) => {
      const minutes = async () => {
        const client = await accountOf(flow.RED, 'account').connect(AbortSignal.timeout(30_000));
        const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
        const times = { start_time: at(-1), end_time: at(1) };
        const { data } = await client.call(operations.getUsage, times);
        return data
          .flatMap(({ results }) => results)
          .reduce((sum, { minutes_used }) => sum + minutes_used, 0);
      };
      const filename = path.join(folder(), 'nowhere', 'a.wav');
      flow.send('node', { payload: 'Hello.', filename });
      await flow.out('fatal');
      assert.equal(await minutes(), 0);
      flow.send('node', { payload: 'Hello.', filename, create_folder: true });
      await flow.out('done');
      assert.ok((await minutes()) > 0);
    }));
});

describe('output to a file', () => {
  const folder = useDataFolder();

  for (const [what, properties, message] of [
    ['the property', { create_folder: 'true', create_folderType: 'bool' }, {}],
    ['the message', {}, { create_folder: 'true' }],
    [
      'the message in a flow of an earlier version',
      { create_folder: 'create_folder', create_folderType: 'msg' },
      { create_folder: 'true' },
    ],
  ] as const) {
    it(`creates missing folders if ${what} says so`, () =>
      withHostedFlow(speak, [node(properties)], async (flow) => {
        const filename = path.join(folder(), what, 'deep', 'a.wav');
        flow.send('node', { payload: 'Hello.', filename, ...message });
        assert.equal(speechOf(await flow.out('done')).filename, filename);
        assert.ok((await stat(filename)).size > 44);
      }));
  }

  it('requests MP3 for a file with this extension if no format is set', () =>
    withHostedFlow(speak, [node()], async (flow) => {
      const filename = path.join(folder(), 'song.mp3');
      flow.send('node', { payload: 'Hello.', filename });
      assert.equal(speechOf(await flow.out('done')).format, 'mp3');
      assert.equal(sniffAudio(await readFile(filename)), 'mp3');
    }));
});
