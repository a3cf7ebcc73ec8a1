import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkDestination } from '../../../nodes/output/destination.js';
import { type Flow, speechNode, withHostedFlow } from '../../support/node-red/flow.js';
import { errorOf, speechOf } from '../../support/node-red/messages.js';
import { type Script, spoken } from '../../support/net/scripted-server.js';
import { never } from '../../support/waiting.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { rendered } from './rendered.js';

const sentence = (index: number) => `${index} ${'word '.repeat(55).trim()}.`;
/** A text of several pieces. */
const TEXT = [1, 2, 3].map(sentence).join('\n\n');

const aloud: Script = () => spoken({ seconds: 1 });

describe('captions beside an audio file', () => {
  const data = useDataFolder();
  let folder = '';
  const formerCache = process.env['HERALD_CACHE'];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(data(), 'captions-'));
    process.env['HERALD_CACHE'] = path.join(data(), 'cache');
  });
  afterEach(() => {
    process.env['HERALD_CACHE'] = formerCache;
  });
  const at = (...names: string[]) => path.join(folder, ...names);
  const run = (properties: object, work: (flow: Flow) => Promise<void>, script: Script = aloud) =>
    withHostedFlow(script, [speechNode('text-to-speech', { output: 'file', ...properties })], work, {
      settings: { userDir: data() },
    });
  const names = async () => (await readdir(folder)).sort();

  it('have the text of all pieces with the times of the output, and their path in msg.speech', () =>
    run({ captions: 'vtt', chime: 'gong', repeat: '2', repeatType: 'num' }, async (flow) => {
      flow.send('node', { payload: TEXT, filename: at('greeting.wav') });
      const message = await flow.out('done');
      assert.equal(message.payload, at('greeting.wav'));
      const { captionsFile, captions, chunks } = speechOf(message);
      assert.equal(captionsFile, at('greeting.vtt'));
      const text = await readFile(at('greeting.vtt'), 'utf8');
      assert.equal(text, captions);
      assert.ok(Array.isArray(chunks) && chunks.length >= 3);
      assert.equal(text.match(/^1 word/gm)?.length, 2);
      assert.doesNotMatch(text, /^00:00:00\.000/m);
    }));

  it('are SRT if the message says so, and absent by default', () =>
    run({}, async (flow) => {
      flow.send('node', { payload: 'Hello.', filename: at('greeting.wav') });
      assert.equal(speechOf(await flow.out('done'))['captionsFile'], undefined);
      assert.deepEqual(await names(), ['greeting.wav']);
      flow.send('node', { payload: 'Hello.', filename: at('greeting.wav'), captions: 'srt' });
      const { captionsFile, srt } = speechOf(await flow.out('done'));
      assert.equal(captionsFile, at('greeting.srt'));
      assert.equal(await readFile(at('greeting.srt'), 'utf8'), srt);
    }));

  it('are equal for audio from the cache', () =>
    run({ captions: 'vtt', filename: `${folder}/{{topic}}.wav` }, async (flow) => {
      flow.send('node', { payload: TEXT, topic: 'greeting-1' });
      await flow.out('done');
      flow.send('node', { payload: TEXT, topic: 'greeting-2' });
      assert.equal(speechOf(await flow.out('done'))['cached'], true);
      assert.equal(
        await readFile(at('greeting-2.vtt'), 'utf8'),
        await readFile(at('greeting-1.vtt'), 'utf8'),
      );
    }));

  it('follow a template to a created folder, and stay in the chosen folder', () =>
    run({ captions: 'vtt', filename: `${folder}/{{topic}}/greeting.ulaw` }, async (flow) => {
      const message = { payload: 'Hello.', create_folder: true, format: 'raw-8000-mulaw' };
      flow.send('node', { ...message, topic: 'kitchen' });
      assert.equal(speechOf(await flow.out('done'))['captionsFile'], at('kitchen', 'greeting.vtt'));
    }));

  it('follow an extension that is not one of audio', () =>
    run({ captions: 'vtt' }, async (flow) => {
      flow.send('node', { payload: 'Hello.', filename: at('greeting 8.30') });
      assert.equal(speechOf(await flow.out('done'))['captionsFile'], at('greeting 8.30.vtt'));
    }));

  it('leave the former files if a later piece fails', () => {
    const script: Script = ({ json }) =>
      String(json['text']).startsWith('3') ? { status: 400 } : spoken({ seconds: 1 });
    return run(
      { captions: 'vtt' },
      async (flow) => {
        await writeFile(at('greeting.vtt'), 'WEBVTT\n');
        flow.send('node', { payload: TEXT, filename: at('greeting.wav') });
        assert.equal(errorOf(await flow.out('fatal')).status, 400);
        assert.equal(await readFile(at('greeting.vtt'), 'utf8'), 'WEBVTT\n');
        assert.deepEqual(await names(), ['greeting.vtt']);
      },
      script,
    );
  });

  it('leave the former captions if the audio does not get its name', () =>
    run({}, async ({ RED }) => {
      await writeFile(at('greeting.vtt'), 'WEBVTT\n');
      const destination = { output: 'file', filename: at('greeting.wav'), captions: 'vtt' } as const;
      const { deliver } = await checkDestination(RED, destination, () => ({}), never);
      const audio = { ...rendered(Buffer.alloc(100)), captions: () => 'WEBVTT\n\nnew' };
      const results = deliver(audio, () => mkdir(at('greeting.wav')));
      await assert.rejects(results.next(), /greeting\.wav/);
      assert.equal(await readFile(at('greeting.vtt'), 'utf8'), 'WEBVTT\n');
      assert.deepEqual(await names(), ['greeting.vtt', 'greeting.wav']);
    }));

  it('that cannot be written are an error before the speech is requested', () => {
    let requests = 0;
    const script: Script = () => {
      requests += 1;
      return spoken();
    };
    return run(
      { captions: 'vtt' },
      async (flow) => {
        await mkdir(at('greeting.vtt'));
        flow.send('node', { payload: 'Hello.', filename: at('greeting.wav') });
        assert.match(errorOf(await flow.out('fatal')).message, /greeting\.vtt": this path is a folder/);
        assert.deepEqual([requests, await names()], [0, ['greeting.vtt']]);
      },
      script,
    );
  });
});
