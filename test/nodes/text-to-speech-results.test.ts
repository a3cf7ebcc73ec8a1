import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspectAudio } from '@herald-speech/client';
import { wavOf } from '../support/audio-files.js';
import { type Flow, speechNode, watchers, withHostedFlow } from '../support/node-red/flow.js';
import { audioOf, earlySpeechOf, errorOf, speechOf, statusTexts } from '../support/node-red/messages.js';
import { useDataFolder } from '../support/service/local-service.js';
import { serving } from '../support/net/serve.js';
import { refused, type Script, type Seen, spoken } from '../support/net/scripted-server.js';
import { until } from '../support/waiting.js';

const node = (more: object = {}) => speechNode('text-to-speech', more);
const hosted = (
  script: Script,
  properties: object,
  work: (flow: Flow, requests: readonly Seen[]) => Promise<void>,
) => withHostedFlow(script, [node(properties), ...watchers], (flow, { requests }) => work(flow, requests));

/** Five sentences, each of which fills a request. */
const sentences = ['One', 'Two', 'Three', 'Four', 'Five'].map(
  (name) => `${name} ${'goes on and '.repeat(20)}ends.`,
);
const longText = sentences.join(' ');
const startsWith = ({ json }: Seen, word: string) => String(json['text']).trim().startsWith(word);
const texts = (requests: readonly Seen[]) =>
  requests.map(({ json }) => String(json['text']).trim().split(' ')[0]);

describe('text to speech with output pieces', () => {
  it('sends a complete file for each piece, with its start and msg.parts, and marks the last one', () =>
    hosted(
      () => spoken(),
      { output: 'pieces' },
      async (flow) => {
        flow.send('node', { payload: longText, topic: 'news' });
        await until(() => flow.received('completed').length === 1);
        const messages = flow.received('done');
        assert.ok(messages.length >= 5);
        let end = 0;
        for (const [index, message] of messages.entries()) {
          const { start, duration, chunks, pieces } = speechOf(message);
          assert.ok(start !== undefined && Math.abs(start - end) < 0.002, `${start} after ${end}`);
          end += duration;
          assert.equal(inspectAudio(audioOf(message)).duration, duration);
          assert.equal(chunks.length, 1);
          assert.equal(pieces.count, messages.length);
          const parts: unknown = Reflect.get(message, 'parts');
          assert.ok(typeof parts === 'object' && parts !== null && 'index' in parts && 'count' in parts);
          assert.deepEqual([parts.index, parts.count, message.topic], [index, messages.length, 'news']);
          assert.equal(message['complete'], index === messages.length - 1 ? true : undefined);
        }
      },
    ));

  it('keeps the pieces of two messages apart and in order', () =>
    hosted(
      () => spoken(),
      { output: 'pieces' },
      async (flow) => {
        for (const topic of ['a', 'b', 'c']) flow.send('node', { payload: longText, topic });
        await until(() => flow.received('completed').length === 3);
        const topics = flow.received('done').map(({ topic }) => String(topic));
        assert.deepEqual(
          topics,
          topics.toSorted((a, b) => a.localeCompare(b)),
        );
        assert.equal(new Set(topics).size, 3);
      },
    ));

  it('keeps msg.parts of an earlier split, so that a second join node puts the messages together', () =>
    hosted(
      () => spoken(),
      { output: 'pieces', progress_messages: 'true', progress_messagesType: 'bool' },
      async (flow) => {
        const outer = { id: 'outer', index: 0, count: 1 };
        flow.send('node', { payload: longText, parts: outer, complete: true });
        await until(() => flow.received('completed').length === 1);
        const isProgress = (message: object) => 'progress' in message;
        const [progress, pieces] = [true, false].map((wanted) =>
          flow.received('done').filter((message) => isProgress(message) === wanted),
        );
        for (const message of progress ?? [])
          assert.deepEqual([message['parts'], message['complete']], [undefined, undefined]);
        assert.ok(pieces !== undefined && pieces.length >= 5);
        for (const [index, message] of pieces.entries()) {
          const parts: unknown = message['parts'];
          assert.ok(typeof parts === 'object' && parts !== null && 'parts' in parts);
          assert.deepEqual(parts.parts, outer);
          assert.equal('complete' in message, index === pieces.length - 1);
        }
      },
    ));

  it('sends messages that share no object', () =>
    hosted(
      () => spoken(),
      { output: 'pieces', progress_messages: 'true', progress_messagesType: 'bool' },
      async (flow) => {
        flow.send('node', { payload: longText, data: {} });
        await until(() => flow.received('completed').length === 1);
        const messages = flow.received('done');
        assert.equal(new Set(messages.map((message) => message['data'])).size, messages.length);
      },
    ));

  it('reports a failure after the first pieces once, with the original message', () =>
    hosted(
      (request) => (startsWith(request, 'Four') ? refused(400) : spoken()),
      { output: 'pieces' },
      async (flow) => {
        flow.send('node', { payload: longText, topic: 'news' });
        const failed = await flow.out('fatal');
        assert.equal(failed.payload, longText);
        const { chunk } = errorOf(failed);
        assert.ok(chunk !== undefined);
        assert.equal(flow.received('done').length, chunk.index);
        flow.send('node', { payload: 'Next.', topic: 'next' });
        await until(() => flow.received('done').at(-1)?.topic === 'next');
        assert.equal(flow.received('fatal').length, 1);
        assert.deepEqual(flow.received('caught'), []);
      },
    ));
});

describe('the cuts of a text', () => {
  it('are the same for all outputs, so that the cache serves all of them', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'herald-cuts-'));
    const text = `The door is open. ${longText}`;
    try {
      await hosted(
        () => spoken(),
        { filename: path.join(folder, 'a.wav'), base_url: 'http://127.0.0.1' },
        async (flow, requests) => {
          const asked: string[][] = [];
          for (const output of [
            { output: 'buffer' },
            { output: 'file' },
            { output: 'url', url_when: 'complete' },
            { output: 'url', url_when: 'first' },
            { output: 'pieces' },
          ]) {
            const before = requests.length;
            flow.send('node', { payload: text, ...output, cache: false });
            await until(() => flow.received('completed').length === asked.length + 1);
            asked.push(
              requests
                .slice(before)
                .map(({ json }) => String(json['text']))
                .toSorted((a, b) => a.localeCompare(b)),
            );
          }
          assert.ok(asked[0]?.includes('The door is open.'));
          for (const others of asked) assert.deepEqual(others, asked[0]);
        },
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('text to speech with a URL of the first piece', () => {
  it('sends the URL before the text is spoken, and lets the next message leave', () => {
    let finish = () => {};
    const gate = new Promise<void>((resolve) => (finish = resolve));
    return hosted(
      async (request) => {
        if (startsWith(request, 'Five')) await gate;
        return spoken();
      },
      { output: 'url', url_when: 'first' },
      (flow) =>
        serving(flow.RED.httpNode, async (origin) => {
          flow.send('node', { payload: longText, topic: 'long' });
          const first = await flow.out('done');
          assert.equal(first.topic, 'long');
          flow.send('node', { payload: 'Next.', topic: 'next' });
          assert.equal((await flow.out('done')).topic, 'next');
          finish();
          const { pathname } = new URL(String(first.payload));
          const audio = Buffer.from(await (await fetch(origin + pathname)).arrayBuffer());
          assert.ok(audio.length > 44);
          await until(() => flow.received('completed').length === 2);
        }),
    );
  });

  it('leaves the totals out of its msg.speech, and sends them with a last progress message', () =>
    hosted(
      () => spoken(),
      { output: 'url', url_when: 'first', progress_messages: 'true', progress_messagesType: 'bool' },
      async (flow) => {
        flow.send('node', { payload: longText, topic: 'news' });
        await until(() => flow.received('completed').length === 1);
        const messages = flow.received('done');
        const early = messages.find((message) => 'payload' in message) ?? assert.fail();
        const { url } = earlySpeechOf(early);
        assert.equal(url, early.payload);
        const last = messages.at(-1) ?? assert.fail();
        assert.equal('payload' in last, false);
        const speech = speechOf(last);
        const length = speech.chunks.length;
        assert.equal(speech.pieces.count, length);
        assert.deepEqual(last['progress'], { done: length, count: length, seconds: speech.duration });
        assert.equal(speech.text, longText);
        assert.equal(messages.filter((message) => 'speech' in message).length, 2);
      },
    ));

  it('reports a later failure once on the output of its error', () =>
    hosted(
      (request) => (startsWith(request, 'Five') ? refused(400) : spoken()),
      { output: 'url', url_when: 'first' },
      async (flow) => {
        flow.send('node', { payload: longText });
        assert.match(String((await flow.out('done')).payload), /^http/);
        assert.equal((await flow.out('fatal')).payload, longText);
        assert.equal(flow.received('done').length, 1);
      },
    ));
});

describe('text to speech with progress messages', () => {
  it('sends msg.progress without payload after each piece, before the result', () =>
    hosted(
      () => spoken(),
      { progress_messages: 'true', progress_messagesType: 'bool' },
      async (flow) => {
        flow.send('node', { payload: longText, topic: 'news' });
        await until(() => flow.received('completed').length === 1);
        const messages = flow.received('done');
        const progress = messages.slice(0, -1);
        assert.ok(progress.length >= 5);
        for (const message of progress) assert.equal('payload' in message, false);
        const last: unknown = progress.at(-1)?.['progress'];
        assert.ok(typeof last === 'object' && last !== null && 'done' in last && 'count' in last);
        assert.equal(last.done, last.count);
        assert.ok(audioOf(messages.at(-1) ?? assert.fail()).length > 44);
      },
    ));
});

describe('msg.priority', () => {
  it('lets an alarm leave before a long text that is still spoken', () => {
    let finish = () => {};
    const gate = new Promise<void>((resolve) => (finish = resolve));
    return hosted(
      async (request) => {
        if (startsWith(request, 'Two')) await gate;
        return spoken();
      },
      {},
      async (flow, requests) => {
        flow.send('node', { payload: longText, topic: 'article' });
        await until(() => requests.length > 0);
        flow.send('node', { payload: 'Fire.', topic: 'alarm', priority: 10 });
        flow.send('node', { payload: 'The post is here.', topic: 'post' });
        assert.equal((await flow.out('done')).topic, 'alarm');
        finish();
        await until(() => flow.received('completed').length === 3);
        assert.deepEqual(
          flow.received('done').map(({ topic }) => topic),
          ['alarm', 'article', 'post'],
        );
      },
    );
  });
});

describe('the retries of a long text', () => {
  it('continue at the missing piece: no finished piece is requested or sent again', () => {
    let isDown = true;
    const script: Script = (request) => {
      if (!startsWith(request, 'Three') || !isDown) return spoken();
      isDown = false;
      return refused(503);
    };
    return withHostedFlow(
      script,
      [node({ output: 'pieces', retry_attempts: '2' }), ...watchers],
      async (flow, { requests }) => {
        flow.send('node', { payload: longText });
        await until(() => flow.received('completed').length === 1);
        assert.deepEqual(flow.received('retryable'), []);
        const asked = texts(requests);
        for (const word of ['One', 'Two'])
          assert.equal(asked.filter((other) => other === word).length, 1, word);
        assert.equal(asked.filter((word) => word === 'Three').length, 2);
        const sent = flow.received('done').flatMap((message) => speechOf(message).chunks);
        assert.equal(sent.map(({ text }) => text.trim()).join(' '), longText);
      },
      { account: { attempts: '1' } },
    );
  });
});

describe('the format of text to speech', () => {
  const folder = useDataFolder();
  const formats = {
    'asterisk-wav': ['audio/wav', 8000, 'pcm'],
    'wav-16000-alaw': ['audio/wav', 16_000, 'alaw'],
    twilio: ['audio/basic', 8000, 'mulaw'],
    'mp3-64': ['audio/mpeg', 24_000, 'mp3'],
  } as const;
  for (const [format, [mime, sampleRate, encoding]] of Object.entries(formats)) {
    it(`converts to ${format}`, () =>
      hosted(
        () => spoken(),
        {},
        async (flow) => {
          flow.send('node', { payload: 'Hello.', format });
          const speech = speechOf(await flow.out('done'));
          assert.deepEqual([speech.mime, speech.sampleRate, speech.encoding], [mime, sampleRate, encoding]);
        },
      ));
  }

  for (const [name, property] of Object.entries({
    'a saved output_format': { output_format: 'mp3' },
    'msg.output_format': {},
    'msg.format': {},
  })) {
    it(`requests MP3 from the service with ${name}`, () =>
      hosted(
        () => spoken(),
        property,
        async (flow, requests) => {
          const field = name.startsWith('msg.') ? { [name.slice(4)]: 'mp3' } : {};
          flow.send('node', { payload: 'Hello.', ...field });
          await flow.out('done');
          assert.equal(requests[0]?.json['output_format'], 'mp3');
        },
      ));
  }

  it('applies the chime, the silences and the repetitions to the duration and the captions', () =>
    hosted(
      () => spoken(),
      { chime: 'gong', silence_before: '1', silence_after: '2', repeat: '2' },
      async (flow, requests) => {
        flow.send('node', { payload: 'Hello.' });
        const message = await flow.out('done');
        const { duration, chunks, srt, captions } = speechOf(message);
        assert.ok(Math.abs(inspectAudio(audioOf(message)).duration - duration) < 0.01);
        assert.ok((chunks[0]?.start ?? 0) > 1);
        assert.equal(chunks.length, 1);
        assert.equal(srt.match(/Hello\./g)?.length, 2);
        assert.equal(captions.match(/Hello\./g)?.length, 2);
        assert.equal(requests.length, 1);
      },
    ));

  it('plays the chime of a file', () =>
    hosted(
      () => spoken(),
      { chime: 'file', chime_file: path.join(folder(), 'chime.wav') },
      async (flow) => {
        const chime = wavOf({ seconds: 0.5 });
        await writeFile(path.join(folder(), 'chime.wav'), chime);
        flow.send('node', { payload: 'Hello.' });
        assert.ok((speechOf(await flow.out('done')).chunks[0]?.start ?? 0) >= 0.5);
      },
    ));

  it('names the field and the fix for a chime file that is missing, a folder, or without audio', async () => {
    await writeFile(path.join(folder(), 'text.wav'), 'no audio');
    const problems = {
      'none.wav': 'none\\.wav": no such file or folder: correct the path$',
      '.': ': this path is a folder: add the name of a file$',
      'text.wav': 'text\\.wav": expected a WAV or MP3 file with sound',
    };
    for (const [name, problem] of Object.entries(problems))
      await hosted(
        () => spoken(),
        { chime: 'file', chime_file: path.join(folder(), name) },
        async (flow, requests) => {
          flow.send('node', { payload: 'Hello.' });
          const { message } = errorOf(await flow.out('fatal'));
          assert.match(message, new RegExp(`^chime_file: file ".*${problem}`));
          assert.equal(requests.length, 0);
        },
      );
  });

  it('plays the chime of a Buffer in msg.chime', () =>
    hosted(
      () => spoken(),
      {},
      async (flow) => {
        flow.send('node', { payload: 'Hello.', chime: wavOf({ seconds: 0.5 }) });
        assert.ok((speechOf(await flow.out('done')).chunks[0]?.start ?? 0) >= 0.5);
      },
    ));

  const wrong: Record<string, [field: string, value: unknown, message: RegExp]> = {
    'an unknown format': ['format', 'flac', /^msg\.format is "flac": expected "unchanged"/],
    'an unknown sample rate': ['format', 'wav-11000', /^msg\.format is "wav-11000": .*8000/],
    'a negative silence': [
      'silence_before',
      -1,
      /^msg\.silence_before is -1: expected a number from 0 to 60/,
    ],
    'a long silence': ['silence_after', 61, /^msg\.silence_after is 61: expected a number from 0 to 60/],
    'no repetition': ['repeat', 0, /^msg\.repeat is 0/],
    'a loudness above the range': ['loudness', 3, /^msg\.loudness is 3/],
    'a chime without audio': [
      'chime',
      Buffer.from('no audio'),
      /^msg\.chime is a Buffer of 8 bytes: expected/,
    ],
    'an unknown chime': ['chime', 'bell', /^msg\.chime is "bell": expected .*"gong"/],
    'a missing chime file': [
      'chime',
      '/nowhere/chime.wav',
      /^chime: file "\/nowhere\/chime\.wav": no such file or folder: correct the path$/,
    ],
    'a pronunciation without a word': [
      'pronunciations',
      [{ word: '', replacement: 'x' }],
      /^msg\.pronunciations\.0\.word/,
    ],
  };
  for (const [name, [field, value, message]] of Object.entries(wrong)) {
    it(`sends a message with ${name} to fatal before anything is requested`, () =>
      hosted(
        () => spoken(),
        {},
        async (flow, requests) => {
          flow.send('node', { payload: 'Hello.', [field]: value });
          assert.match(errorOf(await flow.out('fatal')).message, message);
          assert.equal(requests.length, 0);
        },
      ));
  }

  it('sends a text that is too long for a Buffer to fatal before anything is requested', () =>
    hosted(
      () => spoken(),
      {},
      async (flow, requests) => {
        flow.send('node', { payload: 'x '.repeat(25_001) });
        const { message } = errorOf(await flow.out('fatal'));
        assert.match(
          message,
          /^msg\.payload is .*50000 characters for a Buffer.*200000000 bytes.*file, a URL or pieces/,
        );
        assert.equal(requests.length, 0);
      },
    ));

  it('sends a message whose file name leaves the folder to fatal before anything is requested', () =>
    hosted(
      () => spoken(),
      { output: 'file', filename: `${folder()}/{{topic}}/../../x.wav` },
      async (flow, requests) => {
        flow.send('node', { payload: 'Hello.', topic: 'a' });
        assert.equal(errorOf(await flow.out('fatal')).code, 'bad-request');
        assert.equal(requests.length, 0);
      },
    ));

  it('shows the text of several pieces as sent', () =>
    hosted(
      () => spoken(),
      {},
      async (flow) => {
        flow.send('node', { payload: longText });
        assert.equal(speechOf(await flow.out('done')).text, longText);
      },
    ));

  it('replaces words of msg.pronunciations, and shows the text as sent', () =>
    hosted(
      () => spoken(),
      {},
      async (flow, requests) => {
        const pronunciations = [{ word: 'MQTT', replacement: 'M Q T T' }];
        flow.send('node', { payload: 'MQTT works.', pronunciations });
        assert.equal(speechOf(await flow.out('done')).text, 'M Q T T works.');
        assert.equal(requests[0]?.json['text'], 'M Q T T works.');
      },
    ));
});

describe('text to speech with the cache', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'herald-'));
    process.env['HERALD_CACHE'] = folder;
  });
  after(async () => {
    process.env['HERALD_CACHE'] = 'off';
    await rm(folder, { recursive: true, force: true });
  });

  it('speaks a text again without a request, and shows so', () =>
    hosted(
      () => spoken(),
      {},
      async (flow, requests) => {
        for (const cached of [false, true]) {
          flow.send('node', { payload: 'The same text.' });
          const speech = speechOf(await flow.out('done'));
          assert.deepEqual([speech.cached, speech.pieces], [cached, { cached: cached ? 1 : 0, count: 1 }]);
        }
        await until(() => statusTexts(flow.received('status-of')).at(-1)?.startsWith('Cached') === true);
        assert.equal(requests.length, 1);
        flow.send('node', { payload: 'The same text.', cache: false });
        assert.equal(speechOf(await flow.out('done')).cached, false);
        assert.equal(requests.length, 2);
      },
    ));

  it('pays nothing again for a message whose file could not be written', () =>
    hosted(
      () => spoken(),
      { output: 'file' },
      async (flow, requests) => {
        const target = path.join(folder, 'out');
        flow.send('node', { payload: longText, filename: path.join(target, 'a.wav'), create_folder: true });
        await flow.out('done');
        const paid = requests.length;
        flow.send('node', { payload: longText, filename: path.join(target, 'b.wav') });
        assert.equal(speechOf(await flow.out('done')).chargedSeconds, 0);
        assert.equal(requests.length, paid);
        assert.deepEqual((await readdir(target)).sort(), ['a.wav', 'b.wav']);
        assert.deepEqual(
          await readFile(path.join(target, 'a.wav')),
          await readFile(path.join(target, 'b.wav')),
        );
      },
    ));
});

describe('text to speech with a slow natural voice', () => {
  it('names the simple voice that spoke in msg.speech.voiceFallback', () =>
    hosted(
      ({ json }) => {
        const reply = spoken();
        const isLate = json['text'] === 'Late.';
        return { ...reply, headers: { ...reply.headers, ...(isLate && { 'x-voice-fallback': 'slt' }) } };
      },
      {},
      async (flow) => {
        for (const [payload, voice] of [
          ['Late.', 'slt'],
          ['In time.', undefined],
        ]) {
          flow.send('node', { payload });
          const { speech } = await flow.out('done');
          assert.ok(typeof speech === 'object' && speech !== null);
          assert.equal(Reflect.get(speech, 'voiceFallback'), voice);
        }
      },
    ));
});
