import assert from 'node:assert/strict';
import type { SpeechError } from '../../../client/base/errors.js';
import { useFolder } from '../../support/folder.js';
import { refused, type Script, spoken, withServer } from '../../support/net/scripted-server.js';
import { rejection } from '../../support/rejection.js';
import { withClient } from '../../support/service/client-for.js';

const request = { voice_id: 'v1', text: 'Hello.', language: 'en' };

/** What a caller sees of an error. */
const factsOf = ({ message, cause, ...facts }: SpeechError) => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return { ...facts, message, cause: { message: cause instanceof Error && cause.message, code } };
};

describe('a failed request that outlives its program', () => {
  const folder = useFolder();

  for (const [kind, script, options] of [
    ['a reply that is too large', () => spoken({ seconds: 1 }), { maxReplyBytes: 1000 }],
    ['a lost connection', () => ({ lost: true }), { attempts: 1 }],
    ['a 429', () => refused(429, { 'retry-after': '7' }), { attempts: 1 }],
  ] as const satisfies [string, Script, object][])
    it(`fails after ${kind} with the error of a direct request`, () =>
      withServer(script, async ({ url }) => {
        const failure = (outlives: boolean) =>
          withClient({ url, cache: { folder: folder() }, ...options }, (client) =>
            rejection(client.speak(request, { outlives })),
          );
        assert.deepEqual(factsOf(await failure(true)), factsOf(await failure(false)));
      }));
});
