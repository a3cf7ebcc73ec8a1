import assert from 'node:assert/strict';
import { inspectAudio, z } from '@herald-speech/client';
import { withServer } from '../../support/net/scripted-server.js';
import { useNodeRed } from '../../support/node-red/shared-node-red.js';
import { ask, failureOf, goodService } from './asking.js';

const reply = z.looseObject({ audio: z.base64(), mime: z.string(), duration: z.number() });

describe('Try it', () => {
  const nodeRed = useNodeRed();
  const speak = (request: object, language?: string) =>
    ask(
      nodeRed().url,
      'speak',
      { typed: { service: 'local' }, request: { text: 'Hello.', ...request } },
      undefined,
      language,
    );
  const audioOf = async (request: object) => {
    const { audio, mime, duration } = reply.parse((await speak(request)).json);
    return { bytes: Buffer.from(audio, 'base64'), mime, duration };
  };

  it('plays the chime and the silences of the announcement', async () => {
    const [plain, announced] = await Promise.all([
      audioOf({}),
      audioOf({ chime: 'gong', silence_before: 1.5, silence_after: 0.5 }),
    ]);
    const longer = inspectAudio(announced.bytes).duration - inspectAudio(plain.bytes).duration;
    assert.ok(longer > 2.5, `${longer} s`);
    assert.equal(announced.duration, inspectAudio(announced.bytes).duration);
  });

  it('plays MP3 unchanged, and a format that browsers do not play as WAV with its sample rate', async () => {
    const [telephone, alexa] = await Promise.all([
      audioOf({ format: 'twilio' }),
      audioOf({ format: 'alexa' }),
    ]);
    assert.equal(telephone.mime, 'audio/wav');
    assert.equal(telephone.bytes.readUInt32LE(24), 8000);
    assert.equal(alexa.mime, 'audio/mpeg');
  });

  it('speaks the replacements of the pronunciations', () =>
    withServer(goodService, async ({ url, requests }) => {
      const account = { service: 'hosted', url, apiKey: 'key', voice_id: 'anna', requestsPerMinute: '10000' };
      const pronunciations = [{ word: 'WLAN', replacement: 'wireless' }];
      const request = { text: 'The WLAN works.', language: 'en', pronunciations };
      await ask(nodeRed().url, 'speak', { typed: account, request });
      assert.deepEqual(
        requests.flatMap(({ json }) => json['text'] ?? []),
        ['The wireless works.'],
      );
    }));

  it('names the chime file by its label if it is blank or missing, in the language of the editor', async () => {
    const messageOf = async (request: object, language?: string) =>
      failureOf(await speak({ chime: 'file', ...request }, language)).message;
    assert.equal(
      await messageOf({}),
      'Chime file (chime_file) is missing: expected the path of a WAV or MP3 file',
    );
    const german = await messageOf({ chime_file: '/nowhere/chime.wav' }, 'de');
    assert.match(german, /^Gong-Datei \(chime_file\): Datei "\/nowhere\/chime\.wav": .*Korrigieren Sie/);
  });

  it('names an invalid announcement by its label', async () => {
    assert.match(failureOf(await speak({ silence_before: -1 }, 'de')).message, /Stille davor \(s\)/);
    assert.match(failureOf(await speak({ format: 'tape' })).message, /Format.*tape/);
  });
});

const use = z.looseObject({
  limits: z.array(z.object({ per: z.string(), limit: z.number(), used: z.number(), isOver: z.boolean() })),
});

describe('the use of a budget', () => {
  const nodeRed = useNodeRed([
    { id: 'tab', type: 'tab' },
    { id: 'unused', type: 'herald-account', service: 'hosted', budgetPerMonth: '10', budgetUnit: 'seconds' },
    { id: 'free', type: 'herald-account', service: 'hosted' },
  ]);
  const useOf = async (account: string) =>
    (await fetch(`${nodeRed().url}herald/budget?account=${account}`)).json();

  it('is read from a deployed account with a budget, and is blank for any other account', async () => {
    const { limits, ...today } = use.parse(await useOf('unused'));
    assert.deepEqual(today, { unit: 'seconds', used: 0 });
    assert.deepEqual(limits, [{ per: 'month', limit: 10, used: 0, isOver: false }]);
    assert.deepEqual(await useOf('free'), {});
    assert.deepEqual(await useOf('unknown'), {});
  });

  it('is refused to pages of other sites', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const { status } = await fetch(`${nodeRed().url}herald/budget?account=unused`, { headers });
    assert.equal(status, 403);
  });
});
