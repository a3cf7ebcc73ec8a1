import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectAudio } from '@herald-speech/client';
import {
  type Flow,
  type FlowNode,
  localAccount,
  speechNode,
  withFlow,
  withHostedFlow,
} from '../support/node-red/flow.js';
import { shareLocalService, useDataFolder } from '../support/service/local-service.js';
import { audioOf, errorOf, speechOf } from '../support/node-red/messages.js';
import { type Scripted, spoken } from '../support/net/scripted-server.js';
import { serving } from '../support/net/serve.js';
import { samplesOf } from '../support/service/service.js';

const local = (properties: object, work: (flow: Flow) => Promise<void>, settings: object = {}) =>
  withFlow([localAccount(), speechNode('text-to-speech', properties)], work, { settings });

describe('text to speech with the local service', () => {
  shareLocalService();

  it('converts msg.payload to a Buffer with a complete WAV', () =>
    local({}, async (flow) => {
      flow.send('node', { payload: 'The kettle has boiled.' });
      const message = await flow.out('done');
      const { format, duration } = inspectAudio(audioOf(message));
      assert.equal(format, 'wav');
      assert.equal(duration, speechOf(message).duration);
      assert.ok(duration > 0.5);
    }));

  it('accepts a number, such as the value of a sensor', () =>
    local({}, async (flow) => {
      flow.send('node', { payload: 21.5 });
      const { chunks } = speechOf(await flow.out('done'));
      assert.deepEqual(
        chunks.map(({ text }) => text),
        ['21.5'],
      );
    }));

  it('uses the local service and English if no account is selected', () =>
    withFlow([speechNode('text-to-speech', { account: '' })], async (flow) => {
      flow.send('node', { payload: 'The kettle has boiled.' });
      const { voice_id, language } = speechOf(await flow.out('done'));
      assert.deepEqual({ voice_id, language }, { voice_id: 'rms', language: 'en' });
    }));

  it('returns MP3 if selected', () =>
    local({ output_format: 'mp3' }, async (flow) => {
      flow.send('node', { payload: 'The kettle has boiled.' });
      const message = await flow.out('done');
      assert.equal(inspectAudio(audioOf(message)).format, 'mp3');
      const { format, mime } = speechOf(message);
      assert.deepEqual({ format, mime }, { format: 'mp3', mime: 'audio/mpeg' });
    }));

  it('reports the request and the result in msg.speech', () =>
    local({ include_phonemes: 'true', include_phonemesType: 'bool' }, async (flow) => {
      flow.send('node', { payload: 'Door #2 is open.', style: 'neutral', model: 'main_speech_1' });
      const speech = speechOf(await flow.out('done'));
      const { voice_id, language, style, model } = speech;
      assert.deepEqual(
        { voice_id, language, style, model },
        { voice_id: 'rms', language: 'en', style: 'neutral', model: 'main_speech_1' },
      );
      assert.equal(speech.chargedSeconds, speech.duration);
      assert.deepEqual(speech.chunks, [{ text: 'Door  2 is open.', start: 0, duration: speech.duration }]);
      assert.ok((speech.phonemes?.symbols.length ?? 0) > 5);
      assert.match(speech.captions, /^WEBVTT\n\n00:00:00\.000 --> .*\nDoor 2 is open\.\n$/);
      assert.match(speech.warnings.join(), /"#" was replaced/);
    }));

  it('joins the chunks of a text of 2,000 characters in order', () =>
    local({ voice_settings: '{"speed":2}' }, async (flow) => {
      const sentence = (index: number) => `This is sentence ${index}, and it says that all is well. `;
      const payload = Array.from({ length: 60 }, (_, index) => sentence(index))
        .join('')
        .slice(0, 2000)
        .trim();
      flow.send('node', { payload });
      const message = await flow.out('done');
      const { chunks, duration } = speechOf(message);
      assert.equal(inspectAudio(audioOf(message)).duration, duration);
      assert.equal(chunks.map(({ text }) => text.trim()).join(' '), payload);
      assert.ok(chunks.length >= 7);
      for (const [index, { start }] of chunks.slice(1).entries()) {
        const before = chunks[index];
        assert.ok(before && Math.abs(start - before.start - before.duration) < 0.001);
      }
    }));

  it('sends the message to fatal if the voice is unknown', () =>
    local({}, async (flow) => {
      flow.send('node', { payload: 'Hello.', voice_id: 'nobody' });
      const { code, status, message } = errorOf(await flow.out('fatal'));
      assert.deepEqual({ code, status }, { code: 'not-found', status: 404 });
      assert.match(message, /nobody/);
    }));

  it('ignores a malformed base URL, of the node and of a message, for an output without a URL', () =>
    local({ base_url: 'house.local' }, async (flow) => {
      for (const message of [{}, { base_url: 'house.local' }]) {
        flow.send('node', { payload: 'Hello.', ...message });
        assert.ok((await flow.out('done')).payload instanceof Buffer);
      }
    }));

  it('serves the audio at a URL, with ranges, until the node is stopped', () =>
    local({ output: 'url', base_url: 'http://house.example/nodes/' }, (flow) =>
      serving(flow.RED.httpNode, async (origin) => {
        flow.send('node', { payload: 'Dinner is ready.' });
        const message = await flow.out('done');
        assert.equal(message.payload, speechOf(message).url);
        const url = new URL(String(message.payload));
        assert.match(url.href, /^http:\/\/house\.example\/nodes\/herald\/audio\/[\w-]+\.wav$/);

        const here = origin + url.pathname.replace('/nodes', '');
        const reply = await fetch(here);
        assert.equal(reply.headers.get('content-type'), 'audio/wav');
        assert.equal(
          inspectAudio(new Uint8Array(await reply.arrayBuffer())).duration,
          speechOf(message).duration,
        );
        assert.equal((await fetch(`${origin}/herald/audio/unknown.wav`)).status, 404);

        const part = await fetch(here, { headers: { range: 'bytes=0-3' } });
        assert.deepEqual([part.status, await part.text()], [206, 'RIFF']);
        const beyond = await fetch(here, { headers: { range: 'bytes=999999999-' } });
        assert.equal(beyond.status, 416);

        await flow.close();
        const gone = await fetch(here);
        assert.equal(gone.status, 404);
        assert.doesNotMatch(await gone.text(), /not held/);
      }),
    ));

  it('resolves a relative file name against `fileWorkingDirectory` of the settings', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'herald-'));
    await local(
      { output: 'file', filename: 'dinner.wav' },
      async (flow) => {
        flow.send('node', { payload: 'Dinner is ready.' });
        const { payload } = await flow.out('done');
        assert.equal(payload, path.join(folder, 'dinner.wav'));
        inspectAudio(await readFile(path.join(folder, 'dinner.wav')));
      },
      { fileWorkingDirectory: folder },
    );
  });

  it('builds the URL from `uiHost`, `uiPort` and `httpNodeRoot` by default', () =>
    local(
      { output: 'url' },
      async (flow) => {
        flow.send('node', { payload: 'Dinner is ready.' });
        const { url } = speechOf(await flow.out('done'));
        assert.match(url ?? '', /^http:\/\/192\.0\.2\.7:1999\/nodes\/herald\/audio\//);
      },
      { uiHost: '192.0.2.7', uiPort: 1999, httpNodeRoot: '/nodes/' },
    ));

  it('puts an IPv6 host in brackets', () =>
    local(
      { output: 'url' },
      async (flow) => {
        flow.send('node', { payload: 'Dinner is ready.' });
        const { url } = speechOf(await flow.out('done'));
        assert.equal(new URL(url ?? '').hostname, '[fd00::7]');
      },
      { uiHost: 'fd00::7' },
    ));

  it('sends the message to fatal if `httpNodeRoot` is false', () =>
    local(
      { output: 'url' },
      async (flow) => {
        flow.send('node', { payload: 'Dinner is ready.' });
        const { code, message } = errorOf(await flow.out('fatal'));
        assert.equal(code, 'not-configured');
        assert.match(message, /httpNodeRoot/);
      },
      { httpNodeRoot: false },
    ));
});

describe('text to speech to a file', () => {
  const folder = useDataFolder();
  const toFile = (work: (flow: Flow) => Promise<void>) =>
    withHostedFlow(() => spoken(), [speechNode('text-to-speech', { output: 'file' })], work);

  it('writes the complete audio and leaves no other file in the folder', () =>
    toFile(async (flow) => {
      const sounds = await mkdtemp(path.join(folder(), 'sounds-'));
      const filename = path.join(sounds, 'bell.wav');
      flow.send('node', { payload: 'Ding dong.', filename });
      const message = await flow.out('done');
      assert.equal(message.payload, filename);
      assert.equal(speechOf(message).filename, filename);
      assert.equal(inspectAudio(await readFile(filename)).duration, speechOf(message).duration);
      assert.deepEqual(await readdir(sounds), ['bell.wav']);
    }));

  it('sends the message to fatal if the folder is missing, and names the folder', () =>
    toFile(async (flow) => {
      const filename = path.join(folder(), 'nowhere', 'bell.wav');
      flow.send('node', { payload: 'Ding dong.', filename });
      const { code, message } = errorOf(await flow.out('fatal'));
      assert.equal(code, 'bad-request');
      assert.ok(message.includes(path.dirname(filename)));
    }));

  it('sends the message to fatal without a request if the file name is missing', () =>
    withHostedFlow(
      () => spoken(),
      [speechNode('text-to-speech', { output: 'file' })],
      async (flow, server) => {
        flow.send('node', { payload: 'Ding dong.' });
        assert.match(errorOf(await flow.out('fatal')).message, /filename is missing: expected the path/);
        assert.equal(server.requests.length, 0);
      },
    ));
});

describe('the request of text to speech', () => {
  /** The voice id and the body of the request for one message. */
  const sent = (
    properties: object,
    message: object,
    { account = {}, prepare = (_flow: Flow): void => undefined } = {},
  ): Promise<Record<string, unknown>> =>
    withHostedFlow(
      () => spoken(),
      [nodeWith(properties)],
      async (flow, server) => {
        prepare(flow);
        flow.send('node', message);
        await flow.out('done');
        const [request] = server.requests;
        return { voice_id: request?.path.split('/').at(-1), ...request?.json };
      },
      { account },
    );

  const nodeWith = (properties: object): FlowNode => speechNode('text-to-speech', properties);

  const sources = {
    'a fixed value': { text: 'Hello.', textType: 'str' },
    'a field of the message': { text: 'say.this', textType: 'msg' },
    'flow context': { text: 'greeting', textType: 'flow' },
    'global context': { text: 'greeting', textType: 'global' },
    'an environment variable': { text: 'HERALD_TEST_GREETING', textType: 'env' },
    'a JSONata expression': { text: '"Hel" & say.rest', textType: 'jsonata' },
  };
  after(() => delete process.env['HERALD_TEST_GREETING']);
  for (const [source, properties] of Object.entries(sources)) {
    it(`reads a property from ${source}`, async () => {
      process.env['HERALD_TEST_GREETING'] = 'Hello.';
      const prepare = (flow: Flow) => {
        flow.node('node').context().flow.set('greeting', 'Hello.');
        flow.node('node').context().global.set('greeting', 'Hello.');
      };
      const { text } = await sent(properties, { say: { this: 'Hello.', rest: 'lo.' } }, { prepare });
      assert.equal(text, 'Hello.');
    });
  }

  it('parses voice settings from JSON', async () => {
    const { voice_settings } = await sent({ voice_settings: '{"speed": 1.5}' }, { payload: 'Hi' });
    assert.deepEqual(voice_settings, { speed: 1.5 });
  });

  it('fills a blank property from the message field of the same name', async () => {
    const fields = {
      voice_id: 'voice-9',
      language: 'ko',
      style: 'happy',
      model: 'main_speech_2',
      output_format: 'wav',
      voice_settings: { pitch_shift: -2 },
      include_phonemes: false,
      normalized_text: 'hi there',
    };
    assert.deepEqual(await sent({}, { payload: 'Hi', ...fields }), { text: 'Hi', ...fields });
  });

  it('prefers properties of the node, then of the message, then of the account', async () => {
    const account = { voice_id: 'of-account', language: 'ja' };
    const message = { payload: 'Hi', voice_id: 'of-message', language: 'ko' };
    const { voice_id, language } = await sent({ voice_id: 'of-node' }, message, { account });
    assert.deepEqual({ voice_id, language }, { voice_id: 'of-node', language: 'ko' });
  });

  it('uses the voice and the language of the account by default', async () => {
    const account = { voice_id: 'of-account', language: 'ja' };
    assert.deepEqual(await sent({}, { payload: 'Hi' }, { account }), { text: 'Hi', ...account });
  });

  it('omits empty and unset values', async () => {
    const properties = { style: 'HERALD_TEST_UNSET', styleType: 'env' };
    assert.deepEqual(await sent(properties, { payload: 'Hi', model: '', voice_settings: null }), {
      text: 'Hi',
      voice_id: 'voice-1',
      language: 'en',
    });
  });
});

describe('the result of text to speech', () => {
  const hosted = (script: () => Scripted, work: (flow: Flow) => Promise<void>) =>
    withHostedFlow(script, [speechNode('text-to-speech')], work);

  it('keeps all other message fields, such as req and res of a web request', () =>
    hosted(spoken, async (flow) => {
      const req = { headers: {} };
      const res = { end: () => undefined };
      flow.send('node', { payload: 'Hi', topic: 'door', req, res, nested: { deep: [1] } });
      const message = await flow.out('done');
      assert.equal(message['topic'], 'door');
      assert.equal(message['req'], req);
      assert.equal(message['res'], res);
      assert.deepEqual(message['nested'], { deep: [1] });
    }));

  it('has no msg.error of an earlier attempt', () =>
    hosted(spoken, async (flow) => {
      flow.send('node', { payload: 'Hi', error: { message: 'earlier' } });
      assert.ok(!('error' in (await flow.out('done'))));
    }));

  it('has the chunks of a long text in order even if their replies are not', () =>
    withHostedFlow(
      async ({ json }) => {
        const value = Number(/(\d+)/.exec(String(json['text']))?.[1]);
        await sleep(40 - 10 * (value % 4));
        return spoken({ value });
      },
      [speechNode('text-to-speech')],
      async (flow) => {
        const piece = (index: number) => `${index} ${'word '.repeat(55).trim()}.`;
        flow.send('node', {
          payload: Array.from({ length: 7 }, (_, index) => piece(index + 1)).join('\n\n'),
        });
        const { samples } = samplesOf(audioOf(await flow.out('done')));
        const heard = [...samples].map((sample) => Math.round(sample * 32_768));
        assert.deepEqual([...new Set(heard)], [1, 2, 3, 4, 5, 6, 7]);
      },
    ));
});
