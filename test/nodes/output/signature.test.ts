import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  checkRequest,
  MarkSigner,
  newMarkKey,
  readMark,
  type Verification,
  verifyAudio,
  withMark,
} from '@herald-speech/client';
import { accountOf } from '../../../nodes/account/account-node.js';
import { promptFields } from '../../../nodes/prompts/run/fields.js';
import { signedWith, spreadOver } from '../../../nodes/prompts/run/rows/maker.js';
import { runSettings } from '../../../nodes/prompts/run/settings.js';
import { wavOf } from '../../support/audio-files.js';
import { type Flow, type Message, PORTS, speechNode, withHostedFlow } from '../../support/node-red/flow.js';
import { type Script, spoken } from '../../support/net/scripted-server.js';
import { serving } from '../../support/net/serve.js';
import { tableOf, withPrompts } from '../../support/node-red/prompts.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { startTestService } from '../../support/service/service.js';

const sentence = (index: number) => `${index} ${'word '.repeat(55).trim()}.`;
/** A text of three pieces. */
const TEXT = [1, 2, 3].map(sentence).join('\n\n');

/** docs/outputs.md#signature */
describe('the signature of audio that nodes make', () => {
  const folder = useDataFolder();
  const keyFile = () => path.join(folder(), 'mark-key.pem');
  const run = (
    work: (flow: Flow, origin: string) => Promise<void>,
    script: Script = () => spoken(),
    options = {},
  ) =>
    withHostedFlow(
      script,
      [speechNode('text-to-speech', { wires: PORTS })],
      (flow) => serving(flow.RED.httpNode, (origin) => work(flow, origin)),
      { settings: { userDir: folder() }, ...options },
    );
  const send = async (flow: Flow, fields: object = {}): Promise<Message> => {
    flow.send('node', { payload: TEXT, ...fields });
    return flow.out('done');
  };
  const verdictOf = async (file: unknown): Promise<Verification['verdict']> => {
    assert.ok(file instanceof Uint8Array);
    const { key } = new MarkSigner(await readFile(keyFile(), 'utf8'));
    return verifyAudio(file, [key]).verdict;
  };

  it('is valid in a Buffer, a file, a URL and pieces of each format, of a hosted service too', () =>
    run(async (flow, base_url) => {
      const filename = path.join(folder(), 'signed.wav');
      for (const output_format of ['wav', 'mp3-64', 'asterisk-wav', 'wav-8000-mulaw']) {
        assert.equal(await verdictOf((await send(flow, { output_format })).payload), 'unchanged');
        const { payload } = await send(flow, { output_format, output: 'url', base_url });
        const reply = await fetch(String(payload));
        assert.equal(await verdictOf(new Uint8Array(await reply.arrayBuffer())), 'unchanged');
        flow.send('node', { payload: TEXT, output_format, output: 'pieces' });
        for (let index = 0; index < 3; index += 1)
          assert.equal(await verdictOf((await flow.out('done')).payload), 'unchanged');
      }
      await send(flow, { output: 'file', filename, output_format: 'wav' });
      assert.equal(await verdictOf(await readFile(filename)), 'unchanged');
    }));

  it('is in audio from the cache, which is equal to the first one', () =>
    run(
      async (flow) => {
        const first = (await send(flow)).payload;
        const second = (await send(flow)).payload;
        assert.ok(Buffer.isBuffer(first) && Buffer.isBuffer(second) && first.equals(second));
        assert.equal(await verdictOf(second), 'unchanged');
      },
      undefined,
      { account: { cache: true } },
    ));

  it('is added to a URL with the first piece when its audio is complete', () =>
    run(async (flow, base_url) => {
      for (const output_format of ['wav', 'mp3-64']) {
        const { payload } = await send(flow, { output_format, output: 'url', base_url, url_when: 'first' });
        const read = async () => new Uint8Array(await (await fetch(String(payload))).arrayBuffer());
        await read(); // Until the end of the audio.
        assert.equal(await verdictOf(await read()), 'unchanged');
      }
    }));

  it('does not vouch for the mark of a service, but for the audio of the node', () =>
    run(
      async (flow) => {
        const { payload } = await send(flow);
        assert.equal(await verdictOf(payload), 'unchanged');
        assert.ok(payload instanceof Uint8Array);
        assert.equal(readMark(payload)?.voice, 'voice-1');
      },
      () => ({
        headers: { 'content-type': 'audio/wav' },
        body: Buffer.from(withMark(wavOf(), { voice: 'other', signer: new MarkSigner(newMarkKey()) })),
      }),
    ));

  it('has the key of the local service in the same folder, readable for its user alone', () =>
    run(async (flow) => {
      const { payload } = await send(flow);
      assert.equal((await stat(keyFile())).mode & 0o777, 0o600);
      const service = await startTestService({ data: folder() });
      try {
        const reply = await fetch(`${service.url}/console/api/verify`, {
          method: 'POST',
          headers: { 'x-sup-api-key': service.key },
          body: new Uint8Array(payload as Buffer),
        });
        assert.equal(((await reply.json()) as Verification).verdict, 'unchanged');
      } finally {
        await service.close();
      }
    }));

  it('is missing without a readable key, with one warning, and the speech does not fail', async () => {
    const { HERALD_DATA: former } = process.env;
    const data = path.join(folder(), 'damaged');
    await mkdir(data);
    await writeFile(path.join(data, 'mark-key.pem'), 'no key');
    process.env['HERALD_DATA'] = data;
    try {
      await run(async (flow) => {
        for (const { payload } of [await send(flow), await send(flow)]) {
          assert.ok(payload instanceof Uint8Array);
          assert.equal(verifyAudio(payload, []).verdict, 'unsigned');
        }
        const warnings = flow.logged().filter((line) => line.includes('has no signature'));
        assert.equal(warnings.length, 1);
      });
    } finally {
      process.env['HERALD_DATA'] = former;
      await rm(data, { recursive: true });
    }
  });

  describe('in prompts', () => {
    it('is valid in each file, and prompts that exist count as unchanged', () =>
      withPrompts(
        () => spoken(),
        async ({ run, folder: prompts }) => {
          await run(tableOf('One.', 'Two.'));
          for (const name of ['a.wav', 'b.wav'])
            assert.equal(await verdictOf(await readFile(path.join(prompts, name))), 'unchanged');
          const { unchanged, made } = await run(tableOf('One.', 'Two.'));
          assert.deepEqual([unchanged, made], [2, 0]);
        },
      ));

    it('does not change prompts that were made without a key', async () => {
      await withPrompts(
        () => spoken(),
        async ({ run, folder: prompts }) => {
          const { HERALD_DATA: former } = process.env;
          process.env['HERALD_DATA'] = path.join(folder(), 'file');
          await writeFile(path.join(folder(), 'file'), 'no folder');
          await run(tableOf('One.'));
          process.env['HERALD_DATA'] = former;
          const file = path.join(prompts, 'a.wav');
          const before = await readFile(file);
          assert.equal(await verdictOf(before), 'unsigned');
          const { unchanged, made } = await run(tableOf('One.'));
          assert.deepEqual([unchanged, made], [1, 0]);
          assert.ok(before.equals(await readFile(file)));
        },
      );
    });

    it('is the one of the Node-RED that writes the file, if another member of a fleet spoke it', () =>
      withPrompts(
        () => spoken(),
        async ({ flow, folder: prompts }) => {
          const signal = new AbortController().signal;
          const request = checkRequest(promptFields(), { folder: prompts });
          const settings = await runSettings(flow.RED, request, accountOf(flow.RED, 'account'), signal);
          const task = settings.taskOf({ number: 1, given: {}, text: 'Hi.', filename: 'a.wav', voice: {} });
          const other = { voice: 'voice-1', signer: new MarkSigner(newMarkKey()) };
          for (const data of [withMark(wavOf(), other), wavOf()]) {
            const done = { result: { seconds: 1, cached: false, voice_id: 'voice-1', language: 'en' }, data };
            const submit = () => Promise.resolve(done);
            const make = signedWith(
              flow.RED,
              spreadOver({ work: { submit } }, () => assert.fail()),
            );
            const made = await make(task, signal, () => undefined);
            assert.equal(await verdictOf(made.data), readMark(data) ? 'unchanged' : 'unmarked');
          }
        },
      ));
  });
});
