import assert from 'node:assert/strict';
import { type FlowNode, KEY, PORTS, speechNode, withFlow } from '../../support/node-red/flow.js';
import { errorOf } from '../../support/node-red/messages.js';
import { type Scripted, withServer } from '../../support/net/scripted-server.js';
import { send, speaking, withWyoming, type WyomingScript } from '../../support/net/wyoming-server.js';
import type { WyomingEvent } from '../../../client/wyoming/index.js';

interface Failure {
  port: 'retryable' | 'fatal' | 'no-credits';
  code: string;
}

const refused = (status: number, error: object = {}): Scripted => ({
  status,
  body: { error: { message: 'refused', type: null, param: null, code: null, ...error } },
});

/** Replies to a request for speech, and the failures of the message. */
const replies: Record<string, Failure & { reply: Scripted }> = {
  'a 503': { reply: refused(503), port: 'retryable', code: 'service-failed' },
  'a 429': { reply: refused(429), port: 'retryable', code: 'rate-limited' },
  'a lost connection': { reply: { lost: true }, port: 'retryable', code: 'no-reply' },
  'a wrong key': { reply: refused(401), port: 'fatal', code: 'unauthorized' },
  'an unknown voice': { reply: refused(404, { param: 'voice' }), port: 'fatal', code: 'not-found' },
  'a wrong text': { reply: refused(400), port: 'fatal', code: 'bad-request' },
  'a 429 insufficient_quota': {
    reply: refused(429, { code: 'insufficient_quota' }),
    port: 'no-credits',
    code: 'out-of-credits',
  },
  'a 402': { reply: refused(402), port: 'no-credits', code: 'out-of-credits' },
};

const errorEvent = (code: string): WyomingEvent => ({ type: 'error', data: { text: 'refused', code } });

/** Answers of a Wyoming server. The local service has credits there, too. */
const answers: Record<string, Failure & { answer: WyomingScript }> = {
  'a closed connection': {
    answer: (_event, socket) => void socket.end(),
    port: 'retryable',
    code: 'no-reply',
  },
  'an unknown voice': {
    answer: (_event, socket) => send(socket, errorEvent('VoiceNotFoundError')),
    port: 'fatal',
    code: 'not-found',
  },
  'an error event': {
    answer: (_event, socket) => send(socket, errorEvent('tts-error')),
    port: 'retryable',
    code: 'service-failed',
  },
  'too many texts': {
    answer: (_event, socket) => send(socket, errorEvent('too-many-requests')),
    port: 'retryable',
    code: 'rate-limited',
  },
  'an error about credits': {
    answer: (_event, socket) => send(socket, errorEvent('payment-required')),
    port: 'no-credits',
    code: 'out-of-credits',
  },
};

const message = () => ({ payload: 'Dinner is ready.', topic: 'kitchen', nested: { kept: [1, 'two'] } });

const accountWith = (more: object): FlowNode => ({
  id: 'account',
  type: 'herald-account',
  fallback: 'none',
  language: 'en',
  attempts: '1',
  cache: false,
  ...more,
});

/** Fails unless a message leaves once, unchanged, on the output of its failure. */
const leavesOnce = (account: object, { port, code }: Failure): Promise<void> =>
  withFlow(
    [accountWith(account), speechNode('text-to-speech')],
    async (flow) => {
      flow.send('node', message());
      const failed = await flow.out(port);
      assert.equal(errorOf(failed).code, code);
      const { error: _error, _msgid, ...left } = failed;
      assert.deepEqual(left, message());
      // Nothing leaves later.
      await flow.close();
      const counts = PORTS.flat().map((name) => flow.received(name).length);
      assert.deepEqual(
        counts,
        PORTS.flat().map((name) => (name === port ? 1 : 0)),
      );
    },
    { credentials: { account: { apiKey: KEY } } },
  );

describe('a message that an OpenAI-compatible service fails', () => {
  for (const [what, { reply, ...failure }] of Object.entries(replies))
    it(`leaves once and unchanged on "${failure.port}" after ${what}`, () =>
      withServer(
        ({ method }) => (method === 'GET' ? { body: ['nova'] } : reply),
        ({ url }) => leavesOnce({ service: 'openai', url: `${url}/v1`, voice_id: 'nova' }, failure),
      ));
});

describe('a message that a Wyoming server fails', () => {
  for (const [what, { answer, ...failure }] of Object.entries(answers))
    it(`leaves once and unchanged on "${failure.port}" after ${what}`, () =>
      withWyoming(speaking(answer), ({ url }) => leavesOnce({ service: 'wyoming', address: url }, failure)));
});
