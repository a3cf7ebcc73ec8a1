import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { messages as clientMessages, SpeechError, type Text, textsOf } from '@herald-speech/client';
import { causeOf } from '../../../nodes/runtime/failure-cause.js';
import { localize } from '../../../nodes/runtime/localize.js';
import { say } from '../../../nodes/runtime/messages.js';
import { failedStatus, wordsOf } from '../../../nodes/runtime/status-texts.js';
import { speechNode, watchers, withHostedFlow } from '../../support/node-red/flow.js';
import { errorOf, statusTexts } from '../../support/node-red/messages.js';
import { languages, translatorFor } from '../../support/node-red/runtime-texts.js';
import { type Script, spoken } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';
import { describing } from '../account/spoken.js';

const VOICE = { voice_id: 'voice-1', gender: 'female', language: ['en'] };
const script: Script = describing([VOICE], () => spoken());
const missing = path.join(os.tmpdir(), 'herald-no-such-folder');
const toFile = (filename: string, more: object = {}) => ({ output: 'file', filename, ...more });

const failures: Record<string, { type?: string; node?: object; message?: object }> = {
  'Text blank': { message: { payload: ' ' } },
  'Text missing': { message: { payload: undefined } },
  'Text too long': { message: { payload: 'Word. '.repeat(20_000) } },
  'Folder missing': { node: toFile(path.join(missing, 'hello.wav')) },
  'Path missing': { node: toFile('') },
  'Invalid path': { node: toFile(os.tmpdir()) },
  'Wrong extension': { node: toFile(path.join(os.tmpdir(), 'hello.mp3'), { output_format: 'wav-8000' }) },
  'Empty: topic': { node: toFile(path.join(os.tmpdir(), '{{topic}}.wav')), message: { topic: '' } },
  'Empty: payload.temprature': {
    node: { text: '{{payload.temprature}}', textType: 'str' },
    message: { payload: { temperature: 21 } },
  },
  'Chime missing': { node: { chime: path.join(missing, 'bell.wav') } },
  'Check chime': { message: { chime: Buffer.from('no audio') } },
  'No German voice': { message: { language: 'de' } },
  'Account missing': { node: { account: 'former' } },
  'Check: msg.repeat': { message: { repeat: 1000 } },
  'Table blank': { type: 'prompts', node: { folder: os.tmpdir() }, message: { payload: [] } },
  'Check table': { type: 'prompts', node: { folder: os.tmpdir() }, message: { payload: 'text\nHello.' } },
};

describe('the status of a message that fails', () => {
  for (const [status, { type = 'text-to-speech', node = {}, message = {} }] of Object.entries(failures)) {
    it(`names the cause: ${status}`, () =>
      withHostedFlow(
        script,
        [speechNode(type, node), ...watchers],
        async (flow) => {
          flow.send('node', { payload: 'Hello.', ...message });
          errorOf(await flow.out('fatal'));
          const last = () => statusTexts(flow.received('status-of')).at(-1);
          await until(
            () => last() === status,
            () => `${last()}`,
          );
        },
        { describesVoices: true },
      ));
  }
});

const clientText = textsOf(clientMessages);
const invalid = (field: string) =>
  clientText('invalid', { field, value: '9', rule: clientText('rule-at-most', { limit: 4 }) });

describe('causeOf', () => {
  const shown = async (language: string, text: Text) => {
    const translator = await translatorFor(language);
    const status = failedStatus(new SpeechError('bad-request', text));
    return wordsOf(status, (one) => localize(translator, one), 0);
  };

  it('names the label of a wrong property in the language of the reader', async () => {
    assert.equal(await shown('en-US', invalid('voice_settings.speed')), 'Check: Speed');
    assert.equal(await shown('de', invalid('msg.voice_settings.speed')), 'Prüfen: Tempo');
    assert.equal(await shown('de', invalid('msg.payload')), 'Prüfen: msg.payload');
  });

  it('gives way to the status of the code if a name makes it too long', async () => {
    assert.equal(await shown('de', invalid(`msg.${'x'.repeat(40)}`)), 'Ungültige Anfrage');
  });

  it('shortens the name of a tag', async () => {
    const text = say('file-tag', { template: '""', tag: `{{payload.${'x'.repeat(40)}}}`, optional: '' });
    assert.equal(await shown('en-US', text), `Empty: payload.${'x'.repeat(16)}…`);
  });

  it('finds no cause in the failure of a fallback', () => {
    const failure = clientText('no-audio', { seconds: 5 });
    const problem = clientText('voice-unknown', { field: 'voice_id', voice: '"ann"' });
    assert.equal(causeOf(clientText('fallback-failed', { failure, account: 'local', problem })), undefined);
  });

  for (const language of languages)
    it(`is a short text of its own in ${language}`, async () => {
      const translator = await translatorFor(language);
      const keys = ['rule-text', 'folder-missing', 'rule-chime-file', 'file-format', 'voice-unknown'];
      const texts = keys.map((key) => {
        const cause = causeOf({ key, values: {}, english: '' });
        assert.ok(cause);
        return localize(translator, cause);
      });
      assert.equal(new Set(texts).size, keys.length);
      assert.deepEqual(
        texts.filter(({ length }) => length > 19),
        [],
      );
    });
});
