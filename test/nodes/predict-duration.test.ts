import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { localAccount, speechNode, watchers, withFlow, withHostedFlow } from '../support/node-red/flow.js';
import { shareLocalService } from '../support/service/local-service.js';
import { errorOf, speechOf, statusTexts } from '../support/node-red/messages.js';
import { spoken } from '../support/net/scripted-server.js';

const prediction = z.object({
  payload: z.number(),
  speech: z.strictObject({
    chunks: z.array(z.strictObject({ text: z.string(), start: z.number(), duration: z.number() })),
    estimated: z.boolean().optional(),
    warnings: z.array(z.string()),
  }),
});

const text =
  'The washing machine has finished, and the rain has stopped. You can hang the laundry outside. '.repeat(5);

describe('predict duration', () => {
  shareLocalService();

  it('predicts the seconds of the spoken text within 5 %', () =>
    withFlow(
      [localAccount(), speechNode('predict-duration'), speechNode('text-to-speech', { id: 'speak' })],
      async (flow) => {
        flow.send('node', { payload: text });
        const { payload } = prediction.parse(await flow.out('done'));
        flow.send('speak', { payload: text });
        const { duration } = speechOf(await flow.out('done'));
        assert.ok(
          Math.abs(payload - duration) <= 0.05 * duration,
          `${payload} s predicted, ${duration} s spoken`,
        );
      },
    ));

  it('reports the start and duration of each chunk in msg.speech.chunks', () =>
    withHostedFlow(
      () => ({ body: { duration: 2.5 } }),
      [speechNode('predict-duration')],
      async (flow) => {
        flow.send('node', { payload: text });
        const { payload, speech } = prediction.parse(await flow.out('done'));
        assert.deepEqual(
          speech.chunks.map(({ start, duration }) => [start, duration]),
          [
            [0, 2.5],
            [2.5, 2.5],
            [5, 2.5],
          ],
        );
        assert.equal(payload, 7.5);
      },
    ));

  it('shows that it predicts, with the current chunk, and not that it speaks', () =>
    withHostedFlow(
      () => ({ body: { duration: 2.5 } }),
      [speechNode('predict-duration'), ...watchers],
      async (flow) => {
        flow.send('node', { payload: text });
        await flow.out('done');
        const texts = statusTexts(flow.received('status-of'));
        assert.deepEqual(
          texts.filter((status) => /\d\/3/.test(status)),
          ['Predicting 1/3', 'Predicting 2/3', 'Predicting 3/3'],
        );
      },
    ));

  it('marks the estimate for a service that predicts nothing, to which it sends no text', () =>
    withHostedFlow(
      () => ({ body: ['nova'] }),
      [speechNode('predict-duration')],
      async (flow, { requests }) => {
        flow.send('node', { payload: text });
        const { payload, speech } = prediction.parse(await flow.out('done'));
        assert.equal(speech.estimated, true);
        assert.ok(payload > 15 && payload < 45, `${payload} s`);
        assert.ok(requests.every(({ method, body }) => method === 'GET' && body.length === 0));
      },
      { account: { service: 'openai', voice_id: 'nova', language: 'en' } },
    ));

  it('marks no prediction of a service', () =>
    withHostedFlow(
      () => ({ body: { duration: 2.5 } }),
      [speechNode('predict-duration')],
      async (flow) => {
        flow.send('node', { payload: 'Hi' });
        assert.equal(prediction.parse(await flow.out('done')).speech.estimated, undefined);
      },
    ));

  it('predicts the pieces of text to speech, with the pronunciations of the account', () =>
    withHostedFlow(
      ({ path }) => (path.startsWith('/v1/predict-duration') ? { body: { duration: 1 } } : spoken()),
      [speechNode('predict-duration'), speechNode('text-to-speech', { id: 'speak' })],
      async (flow) => {
        flow.send('node', { payload: text });
        const { speech: predicted } = prediction.parse(await flow.out('done'));
        flow.send('speak', { payload: text });
        const { chunks } = speechOf(await flow.out('done'));
        const texts = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text);
        assert.deepEqual(texts(predicted.chunks), texts(chunks));
        assert.match(predicted.chunks[0]?.text ?? '', /^The washer has finished/);
      },
      { account: { pronunciations: [{ word: 'washing machine', replacement: 'washer' }] } },
    ));

  it('sends the voice and the language of the account by default', () =>
    withHostedFlow(
      () => ({ body: { duration: 1 } }),
      [speechNode('predict-duration')],
      async (flow, { requests }) => {
        flow.send('node', { payload: 'Hi' });
        await flow.out('done');
        assert.equal(requests[0]?.path, '/v1/predict-duration/voice-1');
        assert.deepEqual(requests[0]?.json, { text: 'Hi', language: 'en' });
      },
    ));

  it('sends the message to fatal if the reply has no duration', () =>
    withHostedFlow(
      () => ({ body: {} }),
      [speechNode('predict-duration')],
      async (flow) => {
        flow.send('node', { payload: 'Hi' });
        assert.equal(errorOf(await flow.out('fatal')).code, 'bad-reply');
      },
    ));
});
