import assert from 'node:assert/strict';
import { getCredits } from '../../../client/interface/operations.js';
import { withService } from '../../support/service/client-for.js';
import { rejection } from '../../support/rejection.js';
import { pausedAccount } from '../calls/paused-account.js';
import { refused, type Script, spoken } from '../../support/net/scripted-server.js';

const voice = { voice_id: 'v1', language: 'en' };
const long = Array.from({ length: 4 }, (_, index) => `Part ${index} ${'goes on '.repeat(30)}here.`).join(' ');
const isPrediction = (path: string) => path.startsWith('/v1/predict-duration/');

const fourTimes = <Value>(value: Value) => Array.from({ length: 4 }, () => value);

/** Predicts 1 second plus the number of the part. */
const service: Script = ({ path, json }) =>
  isPrediction(path) ? { body: { duration: 1 + Number(/\d/.exec(String(json['text']))?.[0]) } } : spoken();

describe('the character #', () => {
  it('is replaced by a space, with a warning', () =>
    withService(service, async (client, { requests }) => {
      const { warnings } = await client.speak({ ...voice, text: 'Room #12 and C#' });
      assert.deepEqual(
        requests.map(({ json }) => json['text']),
        ['Room  12 and C'],
      );
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /#/);
    }));

  it('is sent unchanged without a warning if `replaceHash` is false', () =>
    withService(
      service,
      async (client, { requests }) => {
        const { warnings } = await client.speak({ ...voice, text: 'Room #12' });
        assert.equal(requests[0]?.json['text'], 'Room #12');
        assert.deepEqual(warnings, []);
      },
      { replaceHash: false },
    ));
});

describe('a lone surrogate', () => {
  it('is replaced by a space with a warning, unlike a complete pair', () =>
    withService(service, async (client, { requests }) => {
      const text = `Well \ud83d done 😀 ${'and so on '.repeat(40)}\ude00 end`;
      const { warnings } = await client.speak({ ...voice, text });
      const sent = requests.map(({ json }) => String(json['text'])).join(' ');
      assert.match(sent, /^Well {3}done 😀 and/u);
      assert.doesNotMatch(sent, /\p{Surrogate}/u);
      assert.deepEqual(warnings, ['text: half a character was replaced by a space']);
    }));
});

describe('the voice setting duration', () => {
  const timed = (text: string, duration: number) => ({
    ...voice,
    text,
    voice_settings: { speed: 1.5, duration },
  });

  it('is divided among the chunks in proportion to their predicted durations', () =>
    withService(service, async (client, { requests }) => {
      await client.speak({ ...timed(long, 20), include_phonemes: false });
      const [predictions, speeches] = [true, false].map((prediction) =>
        requests
          .filter(({ path }) => isPrediction(path) === prediction)
          .map(({ json }) => json['voice_settings']),
      );
      assert.deepEqual(predictions, fourTimes({ speed: 1.5, duration: 0 }));
      const shares = [2, 4, 6, 8].map((duration) => ({ speed: 1.5, duration }));
      assert.deepEqual(new Set(speeches), new Set(shares));
      assert.ok(requests.every(({ path, json }) => !isPrediction(path) || !('include_phonemes' in json)));
    }));

  const sharesOf = async (seconds: number) => {
    const shares: number[] = [];
    await withService(
      service,
      async (client, { requests }) => {
        await client.speak(timed(long, seconds));
        for (const { path, json } of requests)
          if (!isPrediction(path)) shares.push(Number(Object(json['voice_settings']).duration));
      },
      { concurrency: 1 },
    );
    return shares;
  };

  it('may exceed 60 seconds for a text of several chunks', async () =>
    assert.deepEqual(await sharesOf(120), [12, 24, 36, 48]));

  it('gives no chunk more than 60 seconds, and shares the rest among the others', async () => {
    const shares = await sharesOf(180);
    assert.deepEqual(
      shares.map((share) => Number(share.toFixed(6))),
      [20, 40, 60, 60],
    );
    assert.deepEqual(await sharesOf(240), [60, 60, 60, 60]);
  });

  it('is rejected without a request if the chunks together cannot be that long', () =>
    withService(service, async (client, server) => {
      for (const [text, seconds, rule] of [
        [long, 241, 'expected at most 240 seconds: 60 for each of the 4 pieces of this text'],
        ['Part 1', 61, 'expected a number from 0 to 60'],
      ] as const) {
        const error = await rejection(client.speak(timed(text, seconds)));
        assert.equal(error.code, 'bad-request');
        assert.equal(error.message, `voice_settings.duration is ${seconds}: ${rule}`);
      }
      assert.equal(server.requests.length, 0);
    }));

  it('is divided evenly if all predictions are 0', () =>
    withService(
      ({ path }) => (isPrediction(path) ? { body: { duration: 0 } } : spoken()),
      async (client, { requests }) => {
        await client.speak(timed(long, 20));
        const speeches = requests.filter(({ path }) => !isPrediction(path));
        assert.deepEqual(
          speeches.map(({ json }) => json['voice_settings']),
          fourTimes({ speed: 1.5, duration: 5 }),
        );
      },
    ));

  it('causes predictions with the priority of the speech', () =>
    withService(
      (request, index) => (index === 0 ? refused(429, { 'retry-after': '1' }) : service(request, index)),
      async (client, { requests }) => {
        await pausedAccount(client);
        const free = rejection(client.call(getCredits, {}));
        await rejection(client.speak(timed(long, 20), { priority: 1 }));
        assert.equal((await free).attempts, 0);
        assert.deepEqual(
          requests.slice(1).map(({ path }) => isPrediction(path)),
          [true],
        );
      },
      { requestsPerMinute: 2, concurrency: 1 },
    ));

  it('is sent unchanged with a text of one chunk', () =>
    withService(service, async (client, { requests }) => {
      await client.speak(timed('Part 1', 20));
      assert.deepEqual(
        requests.map(({ json }) => json['voice_settings']),
        [{ speed: 1.5, duration: 20 }],
      );
    }));

  it('causes no prediction if 0', () =>
    withService(service, async (client, { requests }) => {
      await client.speak(timed(long, 0));
      assert.ok(requests.every(({ path }) => !isPrediction(path)));
    }));
});

describe('a normalized text', () => {
  it('is sent with a text of one chunk', () =>
    withService(service, async (client, { requests }) => {
      await client.speak({ ...voice, text: '1 kg', normalized_text: 'one kilogram' });
      assert.equal(requests[0]?.json['normalized_text'], 'one kilogram');
    }));

  it('is rejected with a text of several chunks, without a request', () =>
    withService(service, async (client, server) => {
      const error = await rejection(client.speak({ ...voice, text: long, normalized_text: 'x' }));
      assert.equal(error.code, 'bad-request');
      assert.match(error.message, /normalized_text .*takes 4/);
      assert.equal(server.requests.length, 0);
    }));
});

describe('other fields of a speech request', () => {
  it('are sent unchanged with each chunk', () =>
    withService(service, async (client, { requests }) => {
      const fields = {
        style: 'happy',
        model: 'main_speech_2',
        output_format: 'wav',
        voice_settings: { speed: 2 },
      } as const;
      await client.speak({ ...voice, ...fields, text: long });
      for (const { json } of requests) {
        const { text: _text, ...others } = json;
        assert.deepEqual(others, { language: 'en', ...fields });
      }
    }));

  it('are sent unchanged and listed as warnings if the client does not know them', () =>
    withService(service, async (client, { requests }) => {
      const fields = { volume: 5, voice_settings: { warmth: 'high' } };
      const { warnings } = await client.speak({ ...voice, ...fields, text: 'Hello.' });
      assert.deepEqual(warnings, [
        'volume: unknown, sent unchanged',
        'voice_settings.warmth: unknown, sent unchanged',
      ]);
      assert.deepEqual(requests[0]?.json, { text: 'Hello.', language: 'en', ...fields });
    }));

  it('are validated before the first request', () =>
    withService(service, async (client, server) => {
      const error = await rejection(client.speak({ ...voice, text: long, voice_settings: { speed: 9 } }));
      assert.match(error.message, /voice_settings\.speed is 9/);
      assert.equal(server.requests.length, 0);
    }));
});

describe('a chunk of punctuation', () => {
  it('is left out of a long text, with a warning', () =>
    withService(service, async (client, { requests }) => {
      const text = `Begin. ${'?! '.repeat(300)} End.`;
      const { warnings } = await client.speak({ ...voice, text });
      assert.ok(requests.every(({ json }) => /[\p{L}\p{N}]/u.test(String(json['text']))));
      assert.match(warnings[0] ?? '', /left out/);
    }));
});
