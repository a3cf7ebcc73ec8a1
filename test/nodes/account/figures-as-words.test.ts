import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readPart } from '@herald-speech/local-service/reading';
import { z } from '@herald-speech/client';
import { hostedAccount, KEY, speechNode, withFlow, withHostedFlow } from '../../support/node-red/flow.js';
import { describing, isSpeech } from './spoken.js';
import { withEnvironment } from '../../support/net/proxy.js';
import { errorOf } from '../../support/node-red/messages.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { refused, type Script, type Seen, spoken, withServer } from '../../support/net/scripted-server.js';

const isPrediction = ({ path }: Seen) => path.startsWith('/v1/predict-duration/');
const script: Script = (request) => (isPrediction(request) ? { body: { duration: 1 } } : spoken());

const result = z.object({
  speech: z.object({
    text: z.string(),
    captions: z.string(),
    warnings: z.array(z.string()),
    chunks: z.array(z.object({ text: z.string() })),
  }),
});

/** One request at a time arrives in the order of the text. */
const ON = { figuresAsWords: true, concurrency: '1' };
const typed = (text: string) => ({ text, textType: 'str' });

/** Speaks a message, and returns the sent texts and `msg.speech`. */
const said = (properties: object, message: object, account: object = ON, reply = script) =>
  withHostedFlow(
    reply,
    [speechNode('text-to-speech', { language: 'en', ...properties })],
    async (flow, { requests }) => {
      flow.send('node', message);
      const { speech } = result.parse(await flow.out('done'));
      return {
        ...speech,
        sent: requests.filter((request) => !isPrediction(request)).map(({ json }) => json['text']),
      };
    },
    { account },
  );

const VOICES = [{ voice_id: 'voice-1', gender: 'female', language: ['en'] }];

/** Runs `work` with a cache in a new folder. */
async function withCache(work: () => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-cache-'));
  try {
    await withEnvironment({ HERALD_CACHE: folder }, work);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('an account that writes figures as words', () => {
  // A budget stays for the next test with an account of the same id.
  useDataFolder();

  it('sends words, and keeps the figures in captions, text and chunks', async () => {
    const text = 'It is 21.5 °C at 14:30.';
    const { sent, ...speech } = await said({}, { payload: text });
    assert.deepEqual(sent, ['It is twenty-one point five degrees Celsius at fourteen thirty.']);
    assert.equal(speech.text, text);
    assert.deepEqual(speech.chunks, [{ text }]);
    assert.match(speech.captions, /It is 21\.5 °C at 14:30\./);
  });

  it('sends the text as written while the option is off', async () => {
    assert.deepEqual((await said({}, { payload: 'Wind 12 km/h.' }, {})).sent, ['Wind 12 km/h.']);
  });

  it('replaces a "#" that no word replaces', async () => {
    const { sent, warnings } = await said({}, { payload: 'See C# in 12 km.' });
    assert.deepEqual(sent, ['See C  in twelve kilometers.']);
    assert.deepEqual(warnings, ['text: "#" was replaced by a space']);
  });

  it('leaves the words of normalized_text to the caller', async () => {
    const properties = { normalized_text: 'Wind twelve', model: 'main_speech_2' };
    assert.deepEqual((await said(properties, { payload: 'Wind 12' })).sent, ['Wind 12']);
    const ignoring = { ...properties, model: 'compact_api_3' };
    assert.deepEqual((await said(ignoring, { payload: 'Wind 12' })).sent, ['Wind twelve']);
  });

  it('counts the 300 characters of a request after the words, and loses no text', async () => {
    const sentence = 'On 3/4/2026 at 14:30 it was 21.5 °C with 12 km/h and €1,204.50. ';
    const payload = sentence.repeat(12).trim();
    const { sent, text, chunks } = await said({}, { payload });
    assert.ok(
      sent.every((part) => String(part).length <= 300),
      JSON.stringify(sent.map(String).map(({ length }) => length)),
    );
    assert.equal(text, payload);
    assert.equal(chunks.map((chunk) => chunk.text).join(' '), payload);
    assert.equal(sent.join(' '), readPart({ text: payload }, 'en'));
  });

  it('predicts, reserves and caches the words', () =>
    withCache(() =>
      withHostedFlow(
        script,
        [speechNode('text-to-speech', { language: 'en' })],
        async (flow, { requests }) => {
          for (const payload of ['Wind 12 km/h.', 'Wind twelve kilometers per hour.']) {
            flow.send('node', { payload });
            await flow.out('done');
          }
          assert.deepEqual(
            requests.map((request) => [isPrediction(request), request.json['text']]),
            [
              [true, 'Wind twelve kilometers per hour.'],
              [false, 'Wind twelve kilometers per hour.'],
            ],
          );
        },
        { account: { ...ON, budgetPerDay: '100' } },
      ),
    ));

  it('predicts the duration of the words in the node "predict duration"', () =>
    withHostedFlow(
      script,
      [speechNode('predict-duration', { language: 'en' })],
      async (flow, { requests }) => {
        flow.send('node', { payload: 'Wind 12 km/h.' });
        await flow.out('done');
        assert.equal(requests[0]?.json['text'], 'Wind twelve kilometers per hour.');
      },
      { account: ON },
    ));

  for (const [first, second] of [
    [ON, {}],
    [{}, ON],
  ] as const) {
    it(`goes on at the same place of the text with a fallback, ${first === ON ? 'from words to figures' : 'from figures to words'}`, async () => {
      const payload = 'On 3/4/2026 at 14:30 it was 21.5 °C with 12 km/h and €1,204.50. '.repeat(8).trim();
      let paid = 0;
      const failing: Script = () => (++paid > 2 ? refused(402) : spoken());
      const [one, two] = [failing, script].map((others) => describing(VOICES, others));
      await withServer(one ?? script, (one) =>
        withServer(two ?? script, (other) =>
          withFlow(
            [
              hostedAccount(one.url, { ...first, concurrency: '1', fallback: 'account:other' }),
              hostedAccount(other.url, { ...second, concurrency: '1', fallback: 'none', id: 'other' }),
              speechNode('text-to-speech', { language: 'en' }),
            ],
            async (flow) => {
              flow.send('node', { payload });
              const { speech } = result.parse(await flow.out('done'));
              assert.equal(speech.chunks.map((chunk) => chunk.text).join(' '), payload);
              const said = [one, other].map(({ requests }) =>
                requests.filter(isSpeech).map(({ json }) => String(json['text'])),
              );
              const [before, after] = said.map((texts) => readPart({ text: texts.join(' ') }, 'en'));
              // The refused piece is the first one of the fallback.
              const refusedPiece = readPart({ text: said[0]?.at(-1) ?? '' }, 'en');
              assert.equal(
                `${before?.slice(0, -refusedPiece.length)}${after}`,
                readPart({ text: payload }, 'en'),
              );
              assert.ok(said.flat().every((text) => text.length <= 300));
            },
            { credentials: { account: { apiKey: KEY }, other: { apiKey: KEY } } },
          ),
        ),
      );
    });
  }
});

const element = (as: string, text: string) => `<say-as interpret-as="${as}">${text}</say-as>`;

describe('say-as', () => {
  const read = { markup: 'read' };

  it('says the content in the chosen way, and the captions have it without tags', async () => {
    const payload = `Call ${element('telephone', '0800 123')}, code ${element('digits', '42')}, on ${element('date', '3/4')}.`;
    const { sent, text, warnings } = await said(read, { payload });
    assert.deepEqual(sent, ['Call zero eight zero zero, one two three, code four two, on March fourth.']);
    assert.equal(text, 'Call 0800 123, code 42, on 3/4.');
    assert.deepEqual(warnings, []);
  });

  it('is removed like other markup with "remove"', async () => {
    const { sent, warnings } = await said({}, { payload: `Code ${element('digits', '42')}.` });
    assert.deepEqual(sent, ['Code forty-two.']);
    assert.deepEqual(warnings, ['text: markup was removed']);
  });

  it('names an unknown value and the known ones, and reads its content', async () => {
    const { sent, warnings } = await said(read, { payload: `Code ${element('shout', '42')}.` });
    assert.deepEqual(sent, ['Code forty-two.']);
    assert.match(warnings.join(), /say-as.*shout.*unknown.*telephone, digits, characters, date/);
  });

  it('sends the content with a warning if the account does not write figures', async () => {
    const { sent, warnings } = await said(read, { payload: `Code ${element('digits', '42')}.` }, {});
    assert.deepEqual(sent, ['Code 42.']);
    assert.match(warnings.join(), /say-as has no effect.*Write figures as words/);
  });

  it('keeps its meaning where it is longer than a request', async () => {
    const code = '4711 '.repeat(60).trim();
    const { sent, text } = await said(read, { payload: `Code ${element('digits', code)}.` });
    assert.ok(sent.length > 1);
    assert.equal(sent.join(' ').replaceAll(',', ''), `Code ${'four seven one one '.repeat(60).trim()}.`);
    assert.equal(text, `Code ${code}.`);
  });

  it('keeps the words of the dictionary out of its tags', async () => {
    const pronunciations = JSON.stringify([{ word: 'digits', replacement: 'figures' }]);
    const properties = { ...read, pronunciations, pronunciationsType: 'json' };
    assert.deepEqual((await said(properties, { payload: `All digits: ${element('digits', '42')}.` })).sent, [
      'All figures: four two.',
    ]);
  });
});

describe('a section "say" of a template', () => {
  const payload = { code: 4711, word: 'AB', day: '3/4', none: '' };

  it('says its content in any markup mode', async () => {
    const text =
      'Code {{#say.digits}}{{payload.code}}{{/say.digits}}, {{#say.spell}}{{payload.word}}{{/say.spell}}, {{#say.date}}{{payload.day}}{{/say.date}}.';
    for (const markup of ['remove', 'read']) {
      const { sent, text: captions } = await said({ ...typed(text), markup }, { payload });
      assert.deepEqual(sent, ['Code four seven one one, A B, March fourth.']);
      assert.equal(captions, 'Code 4711, AB, 3/4.');
    }
  });

  it('works inside a list, and is blank without a value', async () => {
    const text =
      '{{#payload}}{{#say.digits}}{{.}}{{/say.digits}}; {{/payload}}{{#say.digits}}{{#topic}}{{topic}}{{/topic}}{{/say.digits}}end';
    assert.deepEqual((await said(typed(text), { payload: [12, 34] })).sent, ['one two; three four; end']);
  });

  it('gives way to a field of the message', async () => {
    const text = '{{date}} {{#say.digits}}yes{{/say.digits}}{{#say.it}} now{{/say.it}}';
    const message = { payload, date: 'Today', say: { digits: false, it: true } };
    assert.deepEqual((await said(typed(text), message)).sent, ['Today  now']);
  });

  it('gives way to a field "say" of the message also where this has no such part', async () => {
    const text = '{{#say.intro}}Hello.{{/say.intro}}{{^say.intro}}Welcome.{{/say.intro}}';
    assert.deepEqual((await said(typed(text), { payload, say: {} })).sent, ['Welcome.']);
  });

  it('says its content in its way if a value has tags of the element', async () => {
    const text = 'Code {{#say.digits}}{{payload}}{{/say.digits}}.';
    for (const markup of ['remove', 'read']) {
      const message = { payload: '4</say-as>2' };
      assert.deepEqual((await said({ ...typed(text), markup }, message)).sent, ['Code four two.'], markup);
    }
  });

  it('fails with the known ways if its way is unknown', () =>
    withHostedFlow(
      script,
      [speechNode('text-to-speech', typed('{{#say.loud}}42{{/say.loud}}'))],
      async (flow) => {
        flow.send('node', { payload });
        const { code, message } = errorOf(await flow.out('fatal'));
        assert.equal(code, 'bad-request');
        assert.match(
          message,
          /\{\{#say\.loud\}\}: unknown\. Use one of say\.telephone, say\.digits.*say\.spell/,
        );
      },
    ));
});
