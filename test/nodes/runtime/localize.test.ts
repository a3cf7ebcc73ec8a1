import assert from 'node:assert/strict';
import { messages as audioMessages } from '@herald-speech/audio';
import {
  failures,
  issuesText,
  messages as clientMessages,
  SpeechError,
  textsOf,
  z,
} from '@herald-speech/client';
import { fleetMessages } from '../../../fleet/redis/messages.js';
import { faultMessages, warningMessages } from '../../../speakers/fault.js';
import { localize, localizeError } from '../../../nodes/runtime/localize.js';
import { dialogMessages, nodeMessages, say } from '../../../nodes/runtime/messages.js';
import { type NodeRed, startNodeRed } from '../../support/node-red/node-red.js';
import { languages, runtimeTexts, translatorFor } from '../../support/node-red/runtime-texts.js';
import { refused, withServer } from '../../support/net/scripted-server.js';
import { accountOf, nodeOf } from '../editor/saved.js';
import { until } from '../../support/waiting.js';

const tables = [
  clientMessages,
  audioMessages,
  fleetMessages,
  faultMessages,
  warningMessages,
  nodeMessages,
].map((table) => Object.entries<string>(table));
const english = new Map(tables.flat());

describe('status texts and error messages', () => {
  it('have keys that are unique in the client, the audio package, the fleet, the speakers and the nodes', () => {
    assert.equal(english.size, tables.flat().length);
  });

  it('name the labels of dialogs in the nodes, and not in the client', async () => {
    const translator = await translatorFor('en-US');
    const plain: Readonly<Record<string, string>> = clientMessages;
    for (const [key, message] of Object.entries(dialogMessages)) {
      assert.deepEqual(message.match(/\{\w+\}/g), plain[key]?.match(/\{\w+\}/g), key);
      assert.match(message, /["“]/);
      assert.doesNotMatch(plain[key] ?? '', /["“]/);
      const text = { key, values: {}, english: plain[key] ?? '' };
      assert.equal(localize(translator, text), message);
    }
  });

  it('include a status for every failure', () => {
    const missing = Object.keys(failures).filter((code) => !english.has(`code-${code}`));
    assert.deepEqual(missing, []);
  });

  for (const language of languages) {
    const texts = new Map(Object.entries(runtimeTexts(language)));

    it(`exist in ${language} for every English one`, () => {
      assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort());
      assert.deepEqual(
        [...texts].filter(([, text]) => text.trim() === ''),
        [],
      );
    });

    it(`have the same values in ${language} as in English`, () => {
      for (const [key, text] of texts) {
        const values = (english.get(key) ?? '').replace(/\{(\w+)\}/g, '__$1__');
        assert.deepEqual(placeholdersIn(text), placeholdersIn(values), key);
      }
    });
  }
});

const placeholdersIn = (text: string): string[] => (text.match(/__\w+?__/g) ?? []).sort();

const clientText = textsOf(clientMessages);

describe('localize', () => {
  it('translates a text and the texts in its values', async () => {
    const german = await translatorFor('de');
    const text = say('sample-failed', { failure: say('sample-format') });
    assert.equal(localize(german, text), 'die Hörprobe lässt sich nicht abspielen: weder WAV noch MP3');
  });

  it('shows values verbatim, also those that look like placeholders of a translation', async () => {
    const german = await translatorFor('de');
    const text = say('payload-format', { value: '"__value__ $t(runtime.reset) {value} <b>"' });
    assert.match(localize(german, text), /^payload "__value__ \$t\(runtime\.reset\) \{value\} <b>": /);
  });

  it('does not insert a value into another one', async () => {
    const text = say('sample-failed', { failure: '__failure__' });
    const swapped = clientText('invalid', {
      field: '__value__',
      value: '{{field}} __rule__',
      rule: '__field__',
    });
    const german = await translatorFor('de');
    assert.equal(localize(german, text), 'die Hörprobe lässt sich nicht abspielen: __failure__');
    assert.equal(localize(german, swapped), '__value__ ist {{field}} __rule__: __field__');
  });

  it('names languages in the language of the reader', async () => {
    const text = clientText('voice-speaks-only', {
      voice: 'Russell',
      spoken: { languages: ['en', 'fr'] },
      language: { languages: ['de'] },
    });
    const sentences = {
      'en-US': 'Russell speaks only English and French. Choose a voice that speaks German.',
      de: 'Russell spricht nur Englisch und Französisch. Wählen Sie eine Stimme für Deutsch.',
      es: 'Russell solo habla inglés y francés. Elija una voz para este idioma: alemán.',
      ja: 'Russellが話せるのは英語、フランス語だけです。ドイツ語のボイスを選んでください。',
      ko: 'Russell 목소리는 영어 및 프랑스어만 지원합니다. 독일어 목소리를 선택하세요.',
    };
    for (const [language, sentence] of Object.entries(sentences))
      assert.equal(localize(await translatorFor(language), text), sentence);
  });

  it('names a field by its label in the dialog', async () => {
    const rule = clientText('rule-whole');
    const german = await translatorFor('de');
    const shown = (field: string) => localize(german, clientText('missing', { field, rule }));
    assert.equal(shown('voice_id'), 'Stimme (voice_id) fehlt: erwartet wird eine ganze Zahl');
    assert.equal(
      shown('voice_settings.speed'),
      'Tempo (voice_settings.speed) fehlt: erwartet wird eine ganze Zahl',
    );
    assert.equal(shown('unknown'), 'unknown fehlt: erwartet wird eine ganze Zahl');
    assert.equal(
      localize(german, clientText('key-missing', { field: 'apiKey' })),
      'API-Schlüssel fehlt: Geben Sie den Schlüssel des Kontos ein',
    );
  });

  it('names a field by its English label if only the labels are known', async () => {
    const american = await translatorFor('en-US');
    assert.equal(
      localize(american, clientText('missing', { field: 'voice_id', rule: 'r' })),
      'Voice (voice_id) is missing: r',
    );
  });

  it('describes a long text and a Buffer of a wrong field in the language of the reader', async () => {
    const german = await translatorFor('de');
    const shown = (value: unknown) => {
      const text = z.string().max(300);
      const { error } = z.object({ text }).safeParse({ text: value });
      return localize(german, issuesText(error?.issues ?? [], { text: value }));
    };
    const start = 'x'.repeat(40);
    assert.equal(
      shown('x'.repeat(52_000)),
      `Text (text) ist "${start}"… (52000 Zeichen): höchstens 300 Zeichen sind erlaubt`,
    );
    assert.match(shown(Buffer.alloc(8)), /^Text \(text\) ist ein Buffer mit 8 Bytes: /);
  });

  it('returns English without a translation', () => {
    const untranslated = { _: () => '' };
    assert.equal(localize(untranslated, say('reset')), 'stopped by msg.reset');
  });

  it('changes only the message of an error', async () => {
    const error = new SpeechError('busy', say('queue-full', { limit: 5 }), { service: 'Too busy.' });
    const localized = localizeError(await translatorFor('de'), error);
    assert.match(localized.message, /^an diesem Node warten schon 5 Nachrichten/);
    const { code, route, name, service } = localized;
    assert.deepEqual([code, route, name, service], ['busy', 'retryable', 'SpeechError', 'Too busy.']);
  });
});

describe('Node-RED with the setting lang "de"', () => {
  let nodeRed: NodeRed;
  // Node-RED takes a node without a place on the canvas for a config node.
  const place = { z: 'tab', x: 1, y: 1 };
  const show = (id: string, complete: string) => ({
    id,
    type: 'debug',
    ...place,
    name: id,
    active: true,
    tosidebar: false,
    console: true,
    complete,
    targetType: 'msg',
    wires: [],
  });
  const inject = {
    id: 'press',
    type: 'inject',
    ...place,
    props: [{ p: 'payload' }],
    payload: 'Hallo.',
    payloadType: 'str',
    wires: [['tts', 'blank']],
  };
  const flowsFor = (url: string) => [
    { id: 'tab', type: 'tab', label: 'Speech' },
    accountOf({ service: 'hosted', url, voice_id: 'anna', credentials: { apiKey: 'key' } }),
    inject,
    { ...nodeOf('tts', 'text-to-speech', 0), wires: [[], [], ['error'], []] },
    { ...nodeOf('blank', 'text-to-speech', 1), text: '?', textType: 'str', wires: [[], [], [], []] },
    { id: 'status-of', type: 'status', ...place, scope: ['blank'], wires: [['status']] },
    show('error', 'error'),
    show('status', 'status.text'),
  ];

  before(async () => {
    nodeRed = await startNodeRed([], { settings: { lang: 'de' } });
  });
  after(() => nodeRed?.stop());

  it('shows German status texts and error messages, and the text of the service verbatim', () =>
    withServer(
      () => refused(400),
      async ({ url }) => {
        await nodeRed.deploy(flowsFor(url));
        await nodeRed.inject('press');
        const expected = [
          '[debug:status] Text leer',
          'Text (text) ist "?": der Text braucht mindestens einen Buchstaben oder eine Ziffer',
          'der Dienst hat mit 400 geantwortet: refused with 400',
          "code: 'bad-request'",
          "service: 'refused with 400'",
        ];
        const missing = () => expected.filter((text) => !nodeRed.log().includes(text));
        await until(
          () => missing().length === 0,
          () => `${missing().join('; ')} in ${nodeRed.log()}`,
        );
      },
    ));
});
