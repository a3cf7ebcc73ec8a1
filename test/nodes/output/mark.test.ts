import assert from 'node:assert/strict';
import { localServiceFacts } from '../../../nodes/account/account-node.js';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkRequest, inspectAudio, readMark, withMark } from '@herald-speech/client';
import { promptFields } from '../../../nodes/prompts/run/fields.js';
import { runSettings } from '../../../nodes/prompts/run/settings.js';
import { wavOf } from '../../support/audio-files.js';
import { describeInBrowser, sharedBrowser } from '../../support/browser/browser.js';
import {
  type Flow,
  type Message,
  PORTS,
  speechNode,
  withFlow,
  withHostedFlow,
} from '../../support/node-red/flow.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { reportOf, tableOf, withPrompts } from '../../support/node-red/prompts.js';
import { type Script, spoken } from '../../support/net/scripted-server.js';
import { serving } from '../../support/net/serve.js';

const sentence = (index: number) => `${index} ${'word '.repeat(55).trim()}.`;
/** A text of three pieces. */
const TEXT = [1, 2, 3].map(sentence).join('\n\n');
const MARK = { product: 'Herald', voice: 'voice-1', language: 'en' };

/** The number of marks in a file. */
const marksIn = (file: Uint8Array): number =>
  Buffer.from(file)
    .toString('latin1')
    .split(/synthetic-speech[=\0]true/).length - 1;

/** Fails unless a file is complete audio with the mark of the node, once. */
function checkMarked(file: unknown): void {
  assert.ok(file instanceof Uint8Array);
  assert.ok(inspectAudio(file).duration > 0);
  assert.deepEqual([readMark(file), marksIn(file)], [MARK, 1]);
}

describe('the mark of synthetic speech in the output of nodes', () => {
  const folder = useDataFolder();
  /** The service marks its replies too. */
  const marking: Script = () => ({
    headers: { 'content-type': 'audio/wav' },
    body: Buffer.from(withMark(wavOf(), { voice: 'other' })),
  });
  const run = (work: (flow: Flow, origin: string) => Promise<void>, script: Script = () => spoken()) =>
    withHostedFlow(
      script,
      [speechNode('text-to-speech', { wires: PORTS })],
      (flow) => serving(flow.RED.httpNode, (origin) => work(flow, origin)),
      { settings: { userDir: folder() } },
    );
  const send = async (flow: Flow, fields: object): Promise<Message> => {
    flow.send('node', { payload: TEXT, ...fields });
    return flow.out('done');
  };

  it('is in a Buffer, a file and a URL, with the voice that speaks', () =>
    run(async (flow, base_url) => {
      const filename = path.join(folder(), 'marked.wav');
      for (const output_format of ['wav', 'mp3-64', 'asterisk-wav']) {
        checkMarked((await send(flow, { output_format })).payload);
        for (const url_when of ['complete', 'first']) {
          const { payload } = await send(flow, { output_format, output: 'url', base_url, url_when });
          const reply = await fetch(String(payload));
          checkMarked(new Uint8Array(await reply.arrayBuffer()));
        }
      }
      await send(flow, { output: 'file', filename, output_format: 'wav' });
      checkMarked(await readFile(filename));
    }));

  it('is in each piece', () =>
    run(async (flow) => {
      flow.send('node', { payload: TEXT, output: 'pieces' });
      for (let index = 0; index < 3; index += 1) checkMarked((await flow.out('done')).payload);
    }));

  it('replaces the marks of the service', () =>
    run(async (flow) => {
      checkMarked((await send(flow, {})).payload);
      const { payload } = await send(flow, { mark: false });
      assert.ok(Buffer.isBuffer(payload));
      assert.equal(marksIn(payload), 0);
    }, marking));

  it('is absent if the flow declines, and in raw formats', () =>
    run(async (flow) => {
      for (const fields of [
        { mark: false },
        { output_format: 'asterisk-ulaw' },
        { output_format: 'snapcast' },
      ]) {
        const { payload } = await send(flow, fields);
        assert.ok(Buffer.isBuffer(payload));
        assert.equal(marksIn(payload), 0);
      }
    }));
});

describe('the mark of synthetic speech in prompts', () => {
  it('is in each file, and its size and digest are in the manifest', () =>
    withPrompts(
      () => spoken(),
      async ({ run, folder, server }) => {
        await run(tableOf('One.', 'Two.'));
        for (const name of ['a.wav', 'b.wav']) checkMarked(await readFile(path.join(folder, name)));
        const { unchanged, made } = await run(tableOf('One.', 'Two.'));
        assert.deepEqual([unchanged, made, server.requests.length], [2, 0, 2]);
      },
    ));

  it('makes the files again if the flow declines, and a raw file not', () =>
    withPrompts(
      () => spoken(),
      async ({ run, flow, folder }) => {
        const table = [...tableOf('One.'), { text: 'Two.', filename: 'b', format: 'asterisk-ulaw' }];
        await run(table);
        flow.send('node', { payload: table, mark: false });
        const { made, unchanged } = reportOf(await flow.out('done'));
        assert.deepEqual([made, unchanged], [1, 1]);
        assert.equal(marksIn(await readFile(path.join(folder, 'a.wav'))), 0);
      },
    ));

  /** The hashes of these rows in version 0.1.0, by format. */
  const earlier = {
    wav: 'e9035342bf28c5a19b4510a684afccad3f2cb265c874e3f81438a2a8eab131ab',
    mp3: '5dcbb3c6729bb05641d6c052de9db2158a8feb606e4c8ae7e7c2bc13851359d4',
    'asterisk-wav': 'cd6b7b7d98fae4b945c548fe79f82884a281447063cf83cc7a1666ae1776911a',
    'asterisk-ulaw': '49c0e2f5e878e0be249c92d610ef2a5454f1d6379e0967456c968c5ac7f2f358',
  };

  it('does not change prompts of earlier versions, which have no mark', () =>
    withFlow([], async ({ RED }) => {
      for (const [format, hash] of Object.entries(earlier)) {
        const request = checkRequest(promptFields(), { folder: '/p', format });
        const account = {
          defaults: { voice_id: 'slt', language: 'en' },
          service: localServiceFacts,
          speaker: { pronunciations: () => [] },
        };
        const settings = await runSettings(RED, request, account, new AbortController().signal);
        const row = { number: 1, given: {}, text: 'Press one.', filename: 'a.wav', voice: {} };
        assert.equal(settings.taskOf(row).hash, hash);
      }
    }));
});

describeInBrowser('marked audio in a browser', () => {
  it('decodes to the same samples as audio without a mark', async () => {
    const page = await (await sharedBrowser()).newPage();
    const samplesOf = (file: Buffer): Promise<number[]> =>
      page.evaluate(`(async () => {
        const bytes = Uint8Array.from(atob('${file.toString('base64')}'), (letter) => letter.charCodeAt(0));
        const sound = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(bytes.buffer);
        return [sound.length, ...sound.getChannelData(0).slice(100, 120)];
      })()`);
    try {
      await withHostedFlow(
        () => spoken(),
        [speechNode('text-to-speech')],
        async (flow) => {
          for (const output_format of ['wav', 'wav-8000-mulaw', 'mp3-64']) {
            flow.send('node', { payload: TEXT, output_format });
            const one = (await flow.out('done')).payload;
            flow.send('node', { payload: TEXT, output_format, mark: false });
            const other = (await flow.out('done')).payload;
            assert.ok(Buffer.isBuffer(one) && Buffer.isBuffer(other));
            assert.deepEqual(await samplesOf(one), await samplesOf(other));
          }
        },
      );
    } finally {
      await page.close();
    }
  });
});
