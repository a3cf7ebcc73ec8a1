import assert from 'node:assert/strict';
import type { AccountCalls } from '../../../client/calls/account.js';
import type { Client } from '../../../client/index.js';
import { createSpeech, searchVoices } from '../../../client/interface/operations.js';
import { speak, type SpeakOptions } from '../../../client/speech/speak.js';
import { lookupDefaults, VoiceLookup } from '../../../client/voices/voice-lookup.js';
import { refused, type Script, type Scripted, type Seen, spoken } from '../../support/net/scripted-server.js';
import { rejection } from '../../support/rejection.js';
import { withService } from '../../support/service/client-for.js';

const request = { voice_id: 'Russell', language: 'en', text: 'Hello.' };
const unknown = 'voice_id "Russell": the service has no such voice. Search for a voice.';
const named = 'voice_id "Russell": this is the name of a voice. Its identifier is "rms": use it instead.';

const voice = (voice_id: string, name: string) => ({ voice_id, name, language: ['en'] });
const russell = voice('rms', 'Russell');

const isSearch = ({ path }: Pick<Seen, 'path'>) => path === '/v1/voices/search';
const searchesOf = (requests: readonly Seen[]) => requests.filter(isSearch).length;

/** A service that finds `items`, and refuses speech with the voice. */
const finding =
  (...items: object[]): Script =>
  (seen) =>
    isSearch(seen) ? { body: { items } } : refused(404);

/** A service that replies to a search with `reply`, and refuses speech with the voice. */
const searching =
  (reply: () => Scripted | Promise<Scripted>): Script =>
  (seen) =>
    isSearch(seen) ? reply() : refused(404);

const failureOf = async (client: Client, changed: object = {}) =>
  (await rejection(client.speak({ ...request, ...changed }))).message;

/** Speaks with an account that records operations with their priority, and a lookup with the time limit `timeout`. */
async function speakRecorded({ service }: Client, timeout: number, options: SpeakOptions = {}) {
  const sent: [operation: string, priority: number | undefined][] = [];
  const account: Pick<AccountCalls, 'send'> = {
    send(operation, checked, call) {
      sent.push([operation.name, call?.priority]);
      return service.account.send(operation, checked, call);
    },
  };
  const voices = new VoiceLookup(account, { ...lookupDefaults, timeout });
  const { message } = await rejection(speak({ ...service, account, voices }, request, options));
  return { sent, message };
}

describe('the error of an unknown voice', () => {
  for (const voice_id of ['Russell', 'russell'])
    it(`names the identifier of the voice with the name ${voice_id}`, () =>
      withService(finding(russell, voice('r2', 'Russell the Second')), async (client, { requests }) => {
        assert.equal(await failureOf(client, { voice_id }), named.replace('Russell', voice_id));
        assert.equal(requests.find(isSearch)?.query.get('name'), voice_id);
      }));

  const without: Record<string, Script> = {
    'two voices have the name': finding(russell, voice('rms-2', 'russell')),
    'no voice has the name': finding(voice('r2', 'Russell the Second')),
    'the search fails': searching(() => refused(503)),
    'the voice with the name has it as its identifier too': finding(voice('Russell', 'Russell')),
  };
  for (const [condition, script] of Object.entries(without))
    it(`names no identifier if ${condition}`, () =>
      withService(script, async (client, { requests }) => {
        assert.equal(await failureOf(client), unknown);
        assert.equal(searchesOf(requests), 1);
      }));

  it('does not say that a typed voice of an OpenAI-compatible account has its own name', () =>
    withService(
      () => ({ status: 404, body: { error: { message: 'refused', param: 'voice' } } }),
      async (client) => {
        assert.match(
          await failureOf(client, { voice_id: 'ballad' }),
          /^voice_id "ballad": the service has no/,
        );
        assert.match(await failureOf(client, { voice_id: 'Ballad' }), /Its identifier is "ballad"/);
      },
      { upstream: { kind: 'openai', voices: ['alloy', 'ballad'] } },
    ));

  for (const voice_id of ['voice-1', 'voice1'])
    it(`needs no search for ${voice_id}, which is not a name`, () =>
      withService(finding(voice('v', voice_id)), async (client, { requests }) => {
        assert.match(await failureOf(client, { voice_id }), /the service has no such voice/);
        assert.equal(searchesOf(requests), 0);
      }));

  it('needs one search for all pieces and for equal texts', () =>
    withService(
      finding(russell),
      async (client, { requests }) => {
        const text = 'One sentence goes on and on and on to its end. '.repeat(40);
        const messages = await Promise.all([failureOf(client, { text }), failureOf(client, { text })]);
        assert.ok(requests.length > 3, `${requests.length} requests`);
        for (const message of messages) assert.match(message, /Its identifier is "rms"/);
        assert.equal(searchesOf(requests), 1);
      },
      { concurrency: 4 },
    ));

  it('names the identifier if only the second piece fails', () =>
    withService(
      (seen, index) => (index === 0 ? spoken() : finding(russell)(seen, index)),
      async (client, { requests }) => {
        const text = 'One sentence goes on and on and on to its end. '.repeat(10);
        assert.match(await failureOf(client, { text }), /^Chunk 2 of \d+: .*Its identifier is "rms"/i);
        assert.equal(searchesOf(requests), 1);
      },
      { concurrency: 1 },
    ));

  it('searches with the priority of the text', () =>
    withService(finding(russell), async (client) => {
      const { sent, message } = await speakRecorded(client, lookupDefaults.timeout, { priority: 7 });
      assert.equal(message, named);
      assert.deepEqual(sent, [
        [createSpeech.name, 7],
        [searchVoices.name, 7],
      ]);
    }));

  it('comes without the identifier if the reply to the search is late', () =>
    withService(
      searching(() => new Promise(() => {})),
      async (client) => assert.equal((await speakRecorded(client, 50)).message, unknown),
      { firstByteTimeout: 600_000, totalTimeout: 600_000 },
    ));

  it('comes without the identifier if the search has to wait for the rate limit', () =>
    withService(
      finding(russell),
      async (client, { requests }) => {
        assert.equal((await speakRecorded(client, 50)).message, unknown);
        assert.equal(requests.length, 1);
      },
      { requestsPerMinute: 1, totalTimeout: 600_000 },
    ));
});

describe('client.unknownVoice', () => {
  it('returns the error with the identifier, without a paid request', () =>
    withService(finding(russell), async (client, { requests }) => {
      const { code, message } = await client.unknownVoice('Russell');
      assert.deepEqual([code, message], ['not-found', named]);
      assert.equal(requests.length, searchesOf(requests));
    }));

  it('rejects with `aborted` when the caller stops it', () => {
    const stop = new AbortController();
    return withService(
      searching(() => {
        stop.abort();
        return new Promise(() => {});
      }),
      async (client) => {
        const stopped = client.unknownVoice('Russell', { signal: stop.signal });
        assert.equal((await rejection(stopped)).code, 'aborted');
      },
    );
  });
});
