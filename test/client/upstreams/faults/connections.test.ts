import assert from 'node:assert/strict';
import { type FailureCode, failures, SpeechError } from '../../../../client/base/errors.js';
import { withClient } from '../../../support/service/client-for.js';
import { faults, type FaultName, withFault } from '../../../support/net/fault-server.js';
import { type FaultyUpstream, speak, upstreams } from './upstreams.js';

/** The error code of each fault, whether the client retries, and whether the call reads JSON in place of speech. */
const expected: Record<FaultName, { code: FailureCode; repeated: boolean; by?: 'json' }> = {
  'connection refused': { code: 'no-connection', repeated: true },
  'unknown name': { code: 'no-connection', repeated: true },
  'self-signed certificate': { code: 'insecure-connection', repeated: false },
  'no TLS behind https': { code: 'insecure-connection', repeated: false },
  'TLS handshake without an answer': { code: 'no-connection', repeated: true },
  'TLS handshake that is reset': { code: 'no-connection', repeated: true },
  'reset before headers': { code: 'no-reply', repeated: true },
  'closed before headers': { code: 'no-reply', repeated: true },
  'no answer': { code: 'no-reply', repeated: true },
  'dripping headers': { code: 'timed-out', repeated: false },
  'reset mid-body': { code: 'no-reply', repeated: true },
  'headers, then silence': { code: 'no-reply', repeated: true },
  'dripping body': { code: 'timed-out', repeated: false },
  'closed mid-body': { code: 'no-reply', repeated: true },
  'chunked without an end': { code: 'no-reply', repeated: true },
  'bad chunk size': { code: 'no-reply', repeated: true },
  'no HTTP': { code: 'no-reply', repeated: true },
  'flood of headers': { code: 'bad-reply', repeated: false },
  'endless body': { code: 'bad-reply', repeated: false },
  'truncated WAV, right content-length': { code: 'no-reply', repeated: true },
  'truncated WAV, no content-length': { code: 'no-reply', repeated: true },
  'content-length too small': { code: 'no-reply', repeated: true },
  'empty WAV reply': { code: 'no-reply', repeated: true },
  'truncated JSON': { code: 'no-reply', repeated: true, by: 'json' },
  'empty JSON reply': { code: 'no-reply', repeated: true, by: 'json' },
  'page of a proxy with 200': { code: 'bad-reply', repeated: false },
  '204 where content was expected': { code: 'bad-reply', repeated: false },
  'page of a proxy with 500': { code: 'service-failed', repeated: true },
  'page of a proxy with 502': { code: 'service-failed', repeated: true },
  'empty 503': { code: 'service-failed', repeated: true },
  'empty 504': { code: 'service-failed', repeated: true },
};

/** Long enough for a service that replies, on a busy machine too. */
const WAIT_MS = 1000;
const timeouts = { connectTimeout: WAIT_MS, firstByteTimeout: WAIT_MS, idleTimeout: WAIT_MS };

/** Calls a service with this fault and returns the error. Fails if the call ends in another way, or twice. */
function failureOf(name: FaultName, url: string, { upstream, readJson }: FaultyUpstream): Promise<unknown> {
  const options = { url, upstream, attempts: 2, ...timeouts, maxReplyBytes: 1_000_000 };
  const totalTimeout = name.startsWith('dripping') ? WAIT_MS / 2 : 30 * WAIT_MS;
  return withClient({ ...options, totalTimeout }, (client) => {
    const call = expected[name].by === 'json' ? readJson(client) : speak(client);
    return call.then(
      () => assert.fail('the call succeeded'),
      (error: unknown) => error,
    );
  });
}

for (const [kind, upstream] of Object.entries(upstreams))
  describe(`client.call with a broken service of the kind ${kind}`, () => {
    for (const name of Object.keys(faults) as FaultName[]) {
      const { code, repeated } = expected[name];
      it(`${name}: rejects with ${code} ${repeated ? 'after a retry' : 'at once'}`, () =>
        withFault(name, async (service) => {
          const error = await failureOf(name, service.url, upstream);
          assert.ok(error instanceof SpeechError);
          assert.equal(error.code, code, error.message);
          assert.equal(error.route, failures[code].route);
          assert.equal(error.attempts, repeated ? 2 : 1);
          assert.ok(service.requests() <= error.attempts);
        }));
    }
  });
