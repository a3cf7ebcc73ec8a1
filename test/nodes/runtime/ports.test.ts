import assert from 'node:assert/strict';
import { failures, SpeechError } from '@herald-speech/client';
import * as fc from 'fast-check';
import { PORTS, settle } from '../../../nodes/runtime/ports.js';

const codes = Object.keys(failures).filter((code): code is keyof typeof failures => code in failures);

/** A result, a `SpeechError`, or any other thrown value. */
const outcome = fc.oneof(
  fc.constant({ payload: 'result', _msgid: '1' }),
  fc.constantFrom(...codes).map((code) => new SpeechError(code, 'failed')),
  fc
    .oneof(
      fc.string(),
      fc.integer(),
      fc.constantFrom(undefined, null),
      fc.string().map((why) => new TypeError(why)),
    )
    .map((thrown) => ({ thrown })),
);

/** The ids of the nodes that a port is wired to. Only `next` is enabled. */
const ends = { none: [], some: ['disabled', 'next'], disabled: ['disabled', 'disabled too'] };

/** Settles one message at a node with these wires. Returns its error and the arguments of `send` and `done`. */
async function settled(wires: End[], work: () => Promise<object>, send = (): void => undefined) {
  const sent: (object | null)[][] = [];
  const done: (Error | undefined)[] = [];
  const node = { wires: wires.map((end) => ends[end]) };
  const error = await settle(
    { RED: { _: (key: string) => key }, node, exists: (id) => id === 'next' },
    { payload: 'as it came', _msgid: '1' },
    work().then((result) => ({ _msgid: '1', ...result })),
    (messages) => {
      sent.push(messages);
      send();
    },
    (...args) => done.push(args[0]),
  );
  return { error, sent, done };
}

type End = keyof typeof ends;

const end = fc.constantFrom<End[]>('none', 'some', 'disabled');
const wires = fc.array(end, { minLength: 4, maxLength: 4 });

describe('settle', () => {
  it('sends each result or error exactly once, to one port or to Catch nodes, and completes a stop without a wire', () =>
    fc.assert(
      fc.asyncProperty(wires, outcome, async (wired, result) => {
        const { error, sent, done } = await settled(wired, async () => {
          if (result instanceof Error) throw result;
          if ('thrown' in result) throw result.thrown;
          return result;
        });
        assert.equal(done.length, 1);
        const toCatch = done[0] !== undefined;
        const ports = sent.flatMap((messages) =>
          messages.flatMap((message, port) => (message ? [port] : [])),
        );
        const isStop = error?.route === 'stopped';
        const port = error === undefined ? 0 : isStop ? 2 : PORTS.indexOf(error.route);
        const isWired = port === 0 || wired[port] === 'some';
        assert.deepEqual(ports, isWired ? [port] : []);
        assert.equal(toCatch, !isWired && !isStop);
      }),
    ));

  it('passes the error to Catch nodes and calls done once if Node-RED fails to send', () =>
    fc.assert(
      fc.asyncProperty(wires, outcome, async (wired, result) => {
        const broken = () => {
          throw new Error('can not be cloned');
        };
        const { error, sent, done } = await settled(
          wired,
          async () => {
            if (result instanceof Error) throw result;
            return result;
          },
          broken,
        );
        assert.equal(done.length, 1);
        // A stop without a wire is neither sent nor an error.
        assert.equal(done[0] !== undefined, sent.length > 0 || error?.route !== 'stopped');
        assert.ok(error instanceof SpeechError);
        assert.ok(sent.length <= 1);
      }),
    ));
});
