import assert from 'node:assert/strict';
import { inspectAudio, readMark } from '@herald-speech/client';
import { freePort } from '../../support/net/free-port.js';
import { shareLocalService } from '../../support/service/local-service.js';
import { type Running, withExample } from '../example.js';
import { type BotApi, CHAT, TOKEN, withBotApi } from './bot-api.js';

const NAMES = ['TELEGRAM_TOKEN', 'TELEGRAM_CHAT', 'TELEGRAM_API'];

describe('example home/telegram-voice-message with a strict Bot API', () => {
  shareLocalService();
  const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
  afterEach(() => {
    for (const name of NAMES) {
      const value = before[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  const run = (work: (flow: Running, api: BotApi) => Promise<void>, { chat = CHAT } = {}) =>
    withBotApi(async (api) => {
      Object.assign(process.env, { TELEGRAM_TOKEN: TOKEN, TELEGRAM_CHAT: chat, TELEGRAM_API: api.url });
      await withExample('home/telegram-voice-message', (flow) => work(flow, api));
    });

  it('sends a marked MP3 with its duration and its text as a voice message', () =>
    run(async (flow, { messages }) => {
      flow.press('telegram-press');
      const sent = await flow.first('telegram-sent');
      const [message] = messages;
      assert.ok(message !== undefined);
      const { duration, sampleRate } = inspectAudio(message.voice);
      assert.equal(message.duration, Math.ceil(duration));
      assert.equal(sampleRate > 0, true);
      assert.equal(message.caption, 'The freezer in the basement is too warm.');
      assert.equal(readMark(message.voice)?.language, 'en');
      assert.doesNotMatch(JSON.stringify(sent), new RegExp(TOKEN), 'the message still has the token');
    }));

  it('cuts the caption of a long text', () =>
    run(async (flow, { messages }) => {
      const text = 'The freezer in the basement is too warm. '.repeat(30).trim();
      flow.send('telegram-speak', { payload: text });
      await flow.first('telegram-sent');
      assert.equal(messages[0]?.caption, text.slice(0, 1024));
    }));

  it('shows no token if the API is not reached', async () => {
    const api = `http://127.0.0.1:${await freePort()}`;
    Object.assign(process.env, { TELEGRAM_TOKEN: TOKEN, TELEGRAM_CHAT: CHAT, TELEGRAM_API: api });
    await withExample('home/telegram-voice-message', async (flow) => {
      flow.press('telegram-press');
      const refused = await flow.first('telegram-refused');
      assert.deepEqual(refused.payload, { ok: false, description: 'ECONNREFUSED' });
      assert.doesNotMatch(JSON.stringify(refused), new RegExp(TOKEN));
    });
  });

  it('shows the reason if the API refuses the message', () =>
    run(
      async (flow, { messages }) => {
        flow.press('telegram-press');
        const { payload } = await flow.first('telegram-refused');
        assert.match(JSON.stringify(payload), /chat not found/);
        assert.equal(messages.length, 0);
      },
      { chat: '7' },
    ));
});
