import assert from 'node:assert/strict';
import { withoutStrayErrors } from '../../support/stray-errors.js';
import { samplesOf, startWyomingServer, typesOf, type WyomingTestServer } from './support.js';

const SPOKEN = ['audio-start', 'audio-chunk', 'audio-stop'];
const HELLO = 'Hello there.';
const pong = (text?: string) => ({
  type: 'pong',
  data: text === undefined ? {} : { text },
  payload: Buffer.alloc(0),
});

describe('the Wyoming server', () => {
  let server: WyomingTestServer;
  before(async () => {
    server = await startWyomingServer({ timeouts: { probing: 20 } });
  });
  after(() => server.close());

  it('describes its voices with languages and names', async () => {
    const [info] = await server.connect().send({ type: 'describe' }).rest();
    const { tts, ...others } = info?.data ?? {};
    assert.deepEqual(others, { asr: [], handle: [], intent: [], wake: [], mic: [], snd: [] });
    assert(Array.isArray(tts) && tts.length === 1);
    const { voices, ...program } = tts[0];
    const attribution = { name: 'Herald', url: '' };
    const description = 'Local text to speech';
    const streaming = { supports_synthesize_streaming: true };
    const common = { installed: true, version: '0.1.0' };
    assert.deepEqual(program, { name: 'Herald', description, attribution, ...common, ...streaming });
    assert.deepEqual(
      voices.map(({ name }: { name: string }) => name).toSorted(),
      server.path.dependencies.catalogue.voices.map(({ id }) => id).toSorted(),
    );
  });

  it('lists a custom voice in each language, and speaks with it', async () => {
    const { dependencies, account } = server.path;
    const sound = { preset: 'slt', pitchShift: 3, pitchVariance: 1, rate: 1, sample: 'sample.wav' };
    const { voice_id: id } = dependencies.ledger.customVoices.add(account.id, {
      name: 'Grandma',
      description: null,
      ...sound,
    });
    const [info] = await server.connect().send({ type: 'describe' }).rest();
    const listed = JSON.stringify(info?.data);
    for (const name of [id, `${id}:de`]) {
      assert.ok(listed.includes(`{"name":"${name}","description":"Custom voice: Grandma"`), name);
    }
    const audio = async (voice: object) => samplesOf(await server.speak('Hallo Welt.', voice));
    assert.deepEqual(await audio({ name: `${id}:de` }), await audio({ name: 'Grandma', language: 'de' }));
    dependencies.ledger.customVoices.remove(account.id, id);
  });

  it('speaks a text as 16-bit mono samples in the order of the protocol', async () => {
    const events = await server.speak(HELLO, { name: 'slt' });
    assert.deepEqual(typesOf(events), SPOKEN);
    const [start, chunk] = events;
    assert.deepEqual(start?.data, { rate: 16_000, width: 2, channels: 1 });
    assert.deepEqual(chunk?.data, start?.data);
    assert.equal(samplesOf(events).length % 2, 0);
  });

  it('speaks with the voice of the id, of the name, of the language, or with the first voice', async () => {
    const audio = async (voice?: object) => samplesOf(await server.speak('Hallo Welt.', voice));
    const { catalogue } = server.path.dependencies;
    const german = await audio({ name: catalogue.defaultVoice('de')?.id });
    for (const voice of [
      { language: 'de' },
      { language: 'de_DE' },
      { language: 'de-DE' },
      { name: 'de_DE' },
    ]) {
      assert.deepEqual(await audio(voice), german, JSON.stringify(voice));
    }
    const selma = await audio({ name: 'slt' });
    for (const voice of [{ name: 'Selma' }, { name: 'slt', speaker: '0', language: null }]) {
      assert.deepEqual(await audio(voice), selma, JSON.stringify(voice));
    }
    const [first] = catalogue.voices;
    const preset = await audio({ name: first?.id });
    for (const voice of [undefined, {}, { name: null }, { name: '' }])
      assert.deepEqual(await audio(voice), preset);
  });

  it('speaks a text in another script with a voice of its script, whole and in a stream', async () => {
    const text = 'Стиральная машина закончила работу.';
    const expected = samplesOf(await server.speak(text, { language: 'ru' }));
    assert.deepEqual(samplesOf(await server.speak(text)), expected);
    const client = server.connect().send({ type: 'synthesize-start' });
    for (const part of [text.slice(0, 5), text.slice(5)])
      client.send({ type: 'synthesize-chunk', data: { text: part } });
    client.send({ type: 'synthesize-stop' });
    assert.deepEqual(samplesOf(await client.until('synthesize-stopped')), expected);
  });

  it('speaks the words of a text without its markup', async () => {
    const voice = { name: 'slt' };
    const plain = samplesOf(await server.speak(HELLO, voice));
    assert.deepEqual(samplesOf(await server.speak('<speak>Hello **there**.</speak>', voice)), plain);
  });

  it('speaks a text over the limit of one request', async () => {
    const events = await server.speak(`${HELLO} `.repeat(40), { name: 'slt' });
    assert.deepEqual(typesOf(events), SPOKEN);
    assert.ok(samplesOf(events).length > 10 * 32_000);
  });

  it('speaks the first sentence of a stream before the text is complete', async () => {
    const client = server.connect();
    client.send({ type: 'synthesize-start', data: { voice: { name: 'slt' } } });
    for (const text of ['Hel', 'lo', ' there', '. '])
      client.send({ type: 'synthesize-chunk', data: { text } });
    const first = await client.until('audio-chunk');
    assert.deepEqual(typesOf(first), ['audio-start', 'audio-chunk']);
    client.send({ type: 'synthesize-chunk', data: { text: 'And goodbye' } });
    client.send(
      { type: 'synthesize', data: { text: 'Hello there. And goodbye' } },
      { type: 'synthesize-stop' },
    );
    const events = [...first, ...(await client.until('synthesize-stopped'))];
    assert.deepEqual(typesOf(events), [...SPOKEN, 'synthesize-stopped']);
    const [hello, goodbye] = [
      await server.speak(HELLO, { name: 'slt' }),
      await server.speak('And goodbye', { name: 'slt' }),
    ];
    assert.deepEqual(samplesOf(events), Buffer.concat([samplesOf(hello), samplesOf(goodbye)]));
    assert.deepEqual(
      typesOf(await client.send({ type: 'synthesize', data: { text: HELLO } }).rest()),
      SPOKEN,
    );
  });

  it('ends a stream without words without audio', async () => {
    for (const texts of [[], [' '], ['…', '👍 ']]) {
      const client = server.connect().send({ type: 'synthesize-start' });
      for (const text of texts) client.send({ type: 'synthesize-chunk', data: { text } });
      assert.deepEqual(typesOf(await client.send({ type: 'synthesize-stop' }).rest()), [
        'synthesize-stopped',
      ]);
    }
  });

  it('answers a ping while it speaks, and ignores unknown events with their payload', async () => {
    const client = server.connect().send({ type: 'synthesize', data: { text: 'Slow words.' } });
    client.send(
      { type: 'audio-chunk', data: { rate: 1 }, payload: Buffer.alloc(100_000, '\n{') },
      { type: 'toString' },
    );
    client.send({ type: 'ping', data: { text: 'x' } }, { type: 'ping' });
    assert.deepEqual(
      [await client.next(), await client.next()],
      ['x', undefined].map((text) => pong(text)),
    );
    client.close();
  });

  it('speaks the texts of a connection one after another', async () => {
    const texts = Array.from({ length: 12 }, () => ({ type: 'synthesize', data: { text: 'Yes.' } }));
    const events = await server
      .connect()
      .send(...texts)
      .rest();
    assert.equal(events.filter(({ type }) => type === 'audio-stop').length, 12);
    assert.deepEqual(
      typesOf(events),
      texts.flatMap(() => SPOKEN),
    );
  });

  it('speaks for 40 connections at once with one worker and a queue of one', async () => {
    const all = await withoutStrayErrors(async () =>
      Promise.all(Array.from({ length: 40 }, async () => server.speak('Yes.', { name: 'slt' }))),
    );
    assert.deepEqual(new Set(all.map((events) => typesOf(events).join())), new Set([SPOKEN.join()]));
  });

  const refused: ReadonlyArray<[string, object, string, RegExp]> = [
    ['an unknown voice', { text: HELLO, voice: { name: 'nobody' } }, 'not-found', /voice "nobody": unknown/],
    [
      'an unknown voice that starts like a language',
      { text: HELLO, voice: { name: 'de-bob' } },
      'not-found',
      /voice "de-bob": unknown/,
    ],
    [
      'a natural voice that is not installed',
      { text: HELLO, voice: { name: 'de_DE-thorsten-medium' } },
      'not-found',
      /voices install de_DE-thorsten-medium/,
    ],
    ['an unknown language', { text: HELLO, voice: { language: 'tlh' } }, 'not-found', /language "tlh"/],
    ['a text without words', { text: '…' }, 'bad-request', /no letter and no digit/],
    ['a text that is too long', { text: 'a '.repeat(10_001) }, 'bad-request', /expected at most 20000/],
    ['a missing text', {}, 'invalid-event', /data.text is missing/],
    ['a text of another type', { text: [] }, 'invalid-event', /data.text/],
    [
      'a voice of another type',
      { text: HELLO, voice: 'rms' },
      'invalid-event',
      /data.voice: expected an object/,
    ],
    [
      'a name of another type',
      { text: HELLO, voice: { name: 5 } },
      'invalid-event',
      /data.voice.name: expected a text/,
    ],
  ];
  for (const [title, data, code, text] of refused) {
    it(`answers ${title} with an error and ends the connection`, async () => {
      const events = await server
        .connect()
        .send({ type: 'synthesize', data: { ...data } })
        .until('');
      assert.deepEqual(typesOf(events), ['error']);
      assert.equal(events[0]?.data['code'], code);
      assert.match(String(events[0]?.data['text']), text);
    });
  }

  it('answers a stream in the wrong order with an error', async () => {
    const [start, chunk, stop] = ['start', 'chunk', 'stop'].map((end) => ({
      type: `synthesize-${end}`,
      data: { text: 'x' },
    }));
    assert(start && chunk && stop);
    for (const events of [[chunk], [stop], [start, start]]) {
      const answer = await server
        .connect()
        .send(...events)
        .until('');
      assert.deepEqual(
        answer.map(({ type, data }) => [type, data['code']]),
        [['error', 'invalid-event']],
      );
    }
  });

  it('limits the length of a stream', async () => {
    const chunk = { type: 'synthesize-chunk', data: { text: 'and '.repeat(2501) } };
    const events = await server.connect().send({ type: 'synthesize-start' }, chunk, chunk).until('');
    assert.deepEqual(events.at(-1)?.data['code'], 'bad-request');
  });

  it('speaks the complete texts before it reports a broken event, and serves other clients', async () => {
    const client = server.connect().send({ type: 'synthesize', data: { text: HELLO } });
    client.socket.write('GET / HTTP/1.1\r\n\r\n');
    const events = await client.until('');
    assert.deepEqual(typesOf(events), [...SPOKEN, 'error']);
    assert.equal(events.at(-1)?.data['code'], 'invalid-json');
    assert.deepEqual(typesOf(await server.speak(HELLO)), SPOKEN);
  });

  it('charges the account of the setting for the speech', async () => {
    const before = server.path.spent();
    const seconds = samplesOf(await server.speak(HELLO, { name: 'slt' })).length / 32_000;
    assert.ok(Math.abs(server.path.spent() - before - seconds) < 0.01);
  });
});
