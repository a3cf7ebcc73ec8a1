import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { asSpeechError, codeOfStatus, failures, mayRetry, SpeechError } from '../../../client/base/errors.js';

/** Code, retry rules and output for each status (docs/interface.md#errors). */
const statuses: [status: number, code: string, repeated: boolean, cloneRepeated: boolean, route: string][] = [
  [302, 'bad-reply', false, false, 'fatal'],
  [400, 'bad-request', false, false, 'fatal'],
  [401, 'unauthorized', false, false, 'fatal'],
  [402, 'out-of-credits', false, false, 'out-of-credits'],
  [403, 'forbidden', false, false, 'fatal'],
  [404, 'not-found', false, false, 'fatal'],
  [408, 'timed-out', true, false, 'retryable'],
  [409, 'bad-request', false, false, 'fatal'],
  [413, 'too-large', false, false, 'fatal'],
  [415, 'unsupported-media', false, false, 'fatal'],
  [429, 'rate-limited', true, true, 'retryable'],
  [500, 'service-failed', true, false, 'retryable'],
  [502, 'service-failed', true, false, 'retryable'],
  [503, 'service-failed', true, false, 'retryable'],
  [504, 'service-failed', true, false, 'retryable'],
];

describe('SpeechError', () => {
  for (const [status, code, repeated, cloneRepeated, route] of statuses) {
    it(`has code ${code} and route ${route} for status ${status}, and is ${repeated ? '' : 'not '}retried`, () => {
      const error = new SpeechError(codeOfStatus(status), 'refused', { status });
      assert.equal(error.code, code);
      assert.equal(error.route, route);
      assert.equal(mayRetry(error, true), repeated);
      assert.equal(mayRetry(error, false), cloneRepeated);
    });
  }

  it('allows a retry of a clone after no-connection, because nothing was sent', () => {
    assert.equal(mayRetry(new SpeechError('no-connection', 'refused'), false), true);
  });

  it('keeps its details in a copy with more details', () => {
    const cause = new Error('cause');
    const chunk = { index: 1, count: 3, start: 10, end: 20 };
    const first = new SpeechError('rate-limited', 'slow down', {
      status: 429,
      retryAfter: 7,
      service: 'text',
      cause,
    });
    const error = first
      .with({ operation: 'createSpeech', attempts: 3 })
      .with({ message: 'chunk 2: slow down', chunk });
    const { code, route, status, retryAfter, service, operation, attempts, message } = error;
    assert.deepEqual(
      { code, route, status, retryAfter, service, operation, attempts, message },
      {
        code: 'rate-limited',
        route: 'retryable',
        status: 429,
        retryAfter: 7,
        service: 'text',
        operation: 'createSpeech',
        attempts: 3,
        message: 'chunk 2: slow down',
      },
    );
    assert.equal(error.cause, cause);
    assert.deepEqual(error.chunk, chunk);
  });

  it('shows the new message and the original position in the stack of a copy', () => {
    const error = new SpeechError('busy', 'costs $& and $1').with({ message: 'chunk 1: costs $& and $1' });
    assert.match(error.stack ?? '', /chunk 1: costs \$& and \$1/);
    assert.match(inspect(error), /errors\.test\.ts/);
  });

  it('has the code internal and a cause if created from another thrown value', () => {
    const thrown = new TypeError('x is not a function');
    const error = asSpeechError(thrown);
    assert.deepEqual([error.code, error.route, error.message], ['internal', 'fatal', 'x is not a function']);
    assert.equal(error.cause, thrown);
    assert.equal(asSpeechError(error), error);
    assert.equal(asSpeechError('a string').message, 'a string');
  });

  it('has the route out-of-credits without credits, and above a budget', () => {
    const codes = Object.entries(failures).filter(([, { route }]) => route === 'out-of-credits');
    assert.deepEqual(
      codes.map(([code]) => code),
      ['out-of-credits', 'over-budget'],
    );
  });
});
