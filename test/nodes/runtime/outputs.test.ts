import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wavOf } from '../../support/audio-files.js';
import { withFault } from '../../support/net/fault-server.js';
import {
  type Flow,
  type FlowNode,
  hostedAccount,
  KEY,
  speechNode,
  watchers,
  withFlow,
  withHostedFlow,
} from '../../support/node-red/flow.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { caughtError, errorOf, statusTexts } from '../../support/node-red/messages.js';
import { refused, type Scripted, spoken } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const tooLarge = wavOf({ seconds: 187.5 });
const greeting = { payload: 'Hello.' };

/** An invalid combination of node, properties and message, and the error message to expect. */
interface BadInput {
  type?: string;
  node?: object;
  message?: object;
  says: RegExp;
}

const badInputs: Record<string, BadInput> = {
  'an empty text': {
    message: { payload: '' },
    says: /^msg\.payload is "": expected a text with at least one letter/,
  },
  'white space': {
    message: { payload: ' \n\t ' },
    says: /^msg\.payload is " \\n\\t ": expected a text with/,
  },
  'a text of punctuation alone': { message: { payload: '?!…' }, says: /^msg\.payload is "\?!…": expected/ },
  'a missing text': { says: /^msg\.payload is missing: enter a text/ },
  'NaN as text': { message: { payload: NaN }, says: /^msg\.payload is NaN: enter a text/ },
  'an object as text': { message: { payload: { a: 1 } }, says: /^msg\.payload is \{ a: 1 \}: enter a text/ },
  'a text of 10 MB': {
    message: { payload: 'word '.repeat(2_000_000) },
    says: /^msg\.payload is "[^"]{40}"… \(10000000 characters\): expected at most 50000 characters for a Buffer/,
  },
  'markup of 100 KB, whose content is not read any more': {
    message: { payload: '<br/>'.repeat(20_000) },
    says: /^(?!.*nothing is left).*: expected at most 50000 characters for a Buffer/,
  },
  'NaN as a setting': {
    message: { ...greeting, voice_settings: { speed: Number.NaN } },
    says: /^msg\.voice_settings\.speed is NaN: .*enter a number/,
  },
  'a setting out of range': {
    message: { ...greeting, voice_settings: { pitch_shift: 25 } },
    says: /^msg\.voice_settings\.pitch_shift is 25: .*24/,
  },
  'a language by its name': {
    message: { ...greeting, language: 'english' },
    says: /^msg\.language is "english": expected a two-letter language code/,
  },
  'a voice that would change the path': {
    message: { ...greeting, voice_id: '..' },
    says: /^msg\.voice_id is "\.\."/,
  },
  'an unknown format': {
    message: { ...greeting, output_format: 'ogg' },
    says: /^msg\.output_format is "ogg": expected "unchanged", a preset/,
  },
  'settings with invalid JSON': {
    node: { voice_settings: '{speed: 2}' },
    message: greeting,
    says: /^voice_settings: cannot evaluate json "\{speed: 2\}": .*JSON/,
  },
  'a JSONata expression with an error': {
    node: { style: '$nope(', styleType: 'jsonata' },
    message: greeting,
    says: /^style: cannot evaluate jsonata "\$nope\(": /,
  },
  'a missing file name': {
    node: { output: 'file' },
    message: greeting,
    says: /^filename is missing: expected the path/,
  },
  'an invalid base URL for audio': {
    node: { output: 'url', base_url: 'kitchen' },
    message: greeting,
    says: /^base_url is "kitchen": /,
  },
  'styles separated by commas and semicolons': {
    type: 'voice-search',
    message: { style: 'happy,sad;angry' },
    says: /^msg\.style is "happy,sad;angry": expected commas .* or semicolons/,
  },
  'a page size of 9': {
    type: 'voice-search',
    node: { page_size: '9' },
    says: /^page_size is 9: .*10/,
  },
  'a page size in words': {
    type: 'voice-search',
    node: { page_size: 'ten' },
    says: /^page_size is NaN: /,
  },
  'a threshold below zero': { type: 'credits', node: { threshold: '-1' }, says: /^threshold is -1: .*0/ },
  'a missing sample': {
    type: 'clone-voice',
    message: { name: 'Me' },
    says: /^msg\.payload is missing: expected a Buffer/,
  },
  'an empty sample': {
    type: 'clone-voice',
    message: { payload: Buffer.alloc(0), name: 'Me' },
    says: /^files is a Buffer of 0 bytes: expected a WAV or MP3 file/,
  },
  'a picture as sample': {
    type: 'clone-voice',
    message: { payload: png, name: 'Me' },
    says: /^files is a Buffer of 16 bytes: expected a WAV or MP3 file/,
  },
  'a sample of 3 MB and more': {
    type: 'clone-voice',
    message: { payload: tooLarge, name: 'Me' },
    says: /^files is a Buffer of 3000044 bytes: expected at most 3000000 bytes/,
  },
  'a missing name for a voice': {
    type: 'clone-voice',
    message: { payload: wavOf() },
    says: /^name is missing: /,
  },
  'a name of 101 characters': {
    type: 'clone-voice',
    message: { payload: wavOf(), name: 'x'.repeat(101) },
    says: /^msg\.name is "x{40}"… \(101 characters\): expected at most 100 characters/,
  },
  'a deleted account': { node: { account: 'former' }, message: greeting, says: /^account: .* missing/ },
  'an account id of another node type': { node: { account: 'done' }, message: greeting, says: /^account: / },
};

describe('a node with invalid input', () => {
  for (const [name, { type = 'text-to-speech', node = {}, message = {}, says }] of Object.entries(
    badInputs,
  )) {
    it(`sends the message to fatal unchanged, without a request: ${name}`, () =>
      withHostedFlow(
        () => spoken(),
        [speechNode(type, node)],
        async (flow, server) => {
          flow.send('node', { ...message, topic: 'kept' });
          const left = await flow.out('fatal');
          const { error: _error, _msgid, ...unchanged } = left;
          const { message: text, route, attempts } = errorOf(left);
          assert.match(text, says);
          assert.deepEqual({ route, attempts }, { route: 'fatal', attempts: 0 });
          assert.deepEqual(unchanged, { ...message, topic: 'kept' });
          assert.equal(server.requests.length, 0);
        },
      ));
  }
});

describe('clone voice with an invalid sample file', () => {
  const folder = useDataFolder();
  before(async () => {
    await writeFile(path.join(folder(), 'picture.wav'), png);
    await writeFile(path.join(folder(), 'large.wav'), tooLarge);
    await mkdir(path.join(folder(), 'album.wav'));
  });

  const files = {
    'missing.wav': /missing\.wav": no such file or folder: correct the path/,
    'picture.wav': /^files is a Buffer of 16 bytes: expected a WAV or MP3 file/,
    'large.wav': /large\.wav": expected at most 3000000 bytes/,
    'album.wav': /album\.wav": this path is a folder/,
  };
  for (const [name, says] of Object.entries(files)) {
    it(`sends the message to fatal without a request: ${name}`, () =>
      withHostedFlow(
        () => spoken(),
        [speechNode('clone-voice')],
        async (flow, server) => {
          flow.send('node', { payload: path.join(folder(), name), name: 'Me' });
          assert.match(errorOf(await flow.out('fatal')).message, says);
          assert.equal(server.requests.length, 0);
        },
      ));
  }
});

describe('the output of a failed message', () => {
  const withReply = (reply: Scripted, work: Parameters<typeof withHostedFlow<void>>[2]) =>
    withHostedFlow(() => reply, [speechNode('text-to-speech')], work);

  for (const [status, code, says] of [
    [400, 'bad-request', /replied 400: refused with 400/],
    [401, 'unauthorized', /^the service does not accept the API key \(401\): enter a valid key/],
    [403, 'forbidden', /^the API key does not permit this operation \(403\)/],
    [404, 'not-found', /^voice_id "voice-1": the service has no such voice/],
  ] as const) {
    it(`is fatal after a ${status}, with code ${code} and the error text of the service`, () =>
      withReply(refused(status), async (flow, server) => {
        flow.send('node', greeting);
        const error = errorOf(await flow.out('fatal'));
        const { message, node: id, arrival, ...rest } = error;
        assert.deepEqual([id, typeof arrival], ['node', 'number']);
        assert.match(message, says);
        assert.deepEqual(rest, {
          name: 'SpeechError',
          code,
          route: 'fatal',
          status,
          operation: 'createSpeech',
          attempts: 1,
          retryAfter: undefined,
          chunk: undefined,
          service: `refused with ${status}`,
        });
        assert.equal(server.requests.length, 1);
      }));
  }

  it('is out of credits after a 402, also for later messages, which cause no request', () =>
    withReply(refused(402), async (flow, server) => {
      flow.send('node', greeting);
      const first = errorOf(await flow.out('no-credits'));
      assert.deepEqual([first.code, first.status], ['out-of-credits', 402]);
      flow.send('node', greeting);
      const second = errorOf(await flow.out('no-credits'));
      assert.deepEqual([second.code, second.attempts], ['out-of-credits', 0]);
      assert.equal(server.requests.length, 1);
    }));

  it('is retryable after a 429 with a long Retry-After, with the seconds to wait', () =>
    withReply(refused(429, { 'retry-after': '600' }), async (flow, server) => {
      flow.send('node', greeting);
      const { code, retryAfter, attempts } = errorOf(await flow.out('retryable'));
      assert.deepEqual(
        { code, retryAfter, attempts },
        { code: 'rate-limited', retryAfter: 600, attempts: 1 },
      );
      assert.equal(server.requests.length, 1);
    }));

  it('is done if a message from retryable is sent again and the service has recovered', () =>
    withHostedFlow(
      (_request, index) => (index < 4 ? refused(500) : spoken()),
      [speechNode('text-to-speech')],
      async (flow) => {
        flow.send('node', { ...greeting, topic: 'kept' });
        const failed = await flow.out('retryable');
        const { code, attempts } = errorOf(failed);
        assert.deepEqual({ code, attempts }, { code: 'service-failed', attempts: 4 });
        flow.node('node').receive(failed);
        const message = await flow.out('done');
        assert.equal(message['topic'], 'kept');
        assert.ok(!('error' in message));
      },
    ));

  it('names the failed chunk of a long text', () =>
    withHostedFlow(
      ({ json }) => (String(json['text']).includes('three') ? refused(400) : spoken()),
      [speechNode('text-to-speech')],
      async (flow) => {
        const piece = (word: string) => `${word} ${'and so on '.repeat(28).trim()}.`;
        const pieces = ['one', 'two', 'three', 'four'].map(piece);
        flow.send('node', { payload: pieces.join('\n\n') });
        const { chunk, message } = errorOf(await flow.out('fatal'));
        assert.deepEqual([chunk?.index, chunk?.count], [2, 4]);
        assert.match(message, /^chunk 3 of 4: /);
      },
    ));

  for (const fault of ['connection refused', 'reset mid-body'] as const) {
    it(`is retryable after four attempts: ${fault}`, () =>
      withFault(fault, ({ url }) =>
        withFlow(
          [hostedAccount(url), speechNode('text-to-speech')],
          async (flow) => {
            flow.send('node', greeting);
            const { route, attempts } = errorOf(await flow.out('retryable'));
            assert.deepEqual({ route, attempts }, { route: 'retryable', attempts: 4 });
          },
          { credentials: { account: { apiKey: KEY } } },
        ),
      ));
  }
});

describe('an output without a wire', () => {
  const unwired = speechNode('text-to-speech', { wires: [['done'], [], [], []] });
  const watched = (reply: Scripted, node: FlowNode, work: (flow: Flow) => Promise<void>) =>
    withHostedFlow(() => reply, [node, ...watchers], work);

  it('passes the error to Catch nodes once, with the error data as cause', () =>
    watched(refused(404), unwired, async (flow) => {
      flow.send('node', greeting);
      const message = await flow.out('caught');
      const { message: text, source, code, cause } = caughtError(message);
      assert.match(text, /the service has no such voice/);
      assert.deepEqual([source.id, source.type], ['node', 'herald-text-to-speech']);
      assert.deepEqual(
        [code, cause.code, cause.status, cause.route],
        ['not-found', 'not-found', 404, 'fatal'],
      );
      assert.equal(message.payload, greeting.payload);
      await quiet();
      assert.deepEqual(flow.received('caught').length, 1);
      assert.deepEqual(flow.received('completed').length, 0);
    }));

  it('logs the error once if the flow has no Catch node', () =>
    withHostedFlow(
      () => refused(404),
      [unwired],
      async (flow) => {
        flow.send('node', greeting);
        const times = () =>
          flow.logged().filter((entry) => entry.includes('the service has no such voice')).length;
        await until(() => times() > 0);
        await quiet();
        assert.equal(times(), 1);
      },
    ));

  it('passes nothing to Catch nodes and the log once it has a wire', () =>
    watched(refused(404), speechNode('text-to-speech'), async (flow) => {
      flow.send('node', greeting);
      await flow.out('fatal');
      await quiet();
      assert.deepEqual(flow.received('caught'), []);
      assert.doesNotMatch(flow.logged().join(), /the service replied 404/);
    }));

  it('notifies Complete nodes of a success', () =>
    watched(spoken(), unwired, async (flow) => {
      flow.send('node', greeting);
      await flow.out('completed');
      await flow.out('done');
      assert.deepEqual(flow.received('caught'), []);
    }));

  it('shows the failure as status', () =>
    watched(refused(404), unwired, async (flow) => {
      flow.send('node', greeting);
      await flow.out('caught');
      await quiet();
      assert.deepEqual(statusTexts(flow.received('status-of')).at(-1), 'Unknown voice');
    }));

  it('counts as wired after a deploy that adds the wire and does not restart the node', () =>
    withHostedFlow(
      () => refused(404),
      [unwired, ...watchers],
      async (flow, { url }) => {
        const before = flow.node('node');
        const rewired = { ...unwired, wires: [['done'], [], ['done'], []] };
        await flow.deploy([hostedAccount(url), rewired, ...watchers]);
        assert.equal(flow.node('node'), before);
        flow.send('node', greeting);
        assert.equal(errorOf(await flow.out('done')).code, 'not-found');
      },
    ));
});

/** Resolves after 20 turns of the event loop, enough for messages between nodes to arrive. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
