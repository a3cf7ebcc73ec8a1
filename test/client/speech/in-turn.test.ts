import assert from 'node:assert/strict';
import {
  createBreaker,
  speakInTurn,
  type Speaker,
  SpeechError,
  type TimedPiece,
} from '../../../client/index.js';
import { withFakeClock } from '../../support/fake-clock.js';
import { rejection } from '../../support/rejection.js';

/** Pieces in a text. */
const COUNT = 5;

interface Behaviour {
  /** Seconds of each piece. */
  seconds?: number;
  /** Fails in place of the piece with this index. */
  failsAt?: number;
  /** Gives no piece from this index on. */
  silentFrom?: number;
  error?: SpeechError;
  /** Announces a wait of a minute before the piece with this index. */
  waitsAt?: number;
}

const failure = () => new SpeechError('no-connection', 'nothing listens');

/** Creates speakers that take over from each other, and lists each spoken piece as `name index`. */
function speakers(...behaviours: Behaviour[]) {
  const log: string[] = [];
  const create = (place: number): Speaker<TimedPiece> | undefined => {
    const behaviour = behaviours[place];
    const name = `speaker ${place + 1}`;
    return (
      behaviour && {
        name,
        patience: () => 1000,
        breaker: createBreaker(),
        next: () => create(place + 1),
        speak: (first, signal, onWait) => speak(name, behaviour, first, signal, log, onWait),
      }
    );
  };
  const first = create(0);
  assert.ok(first !== undefined);
  return { log, first };
}

async function* speak(
  name: string,
  { seconds = 1, failsAt, silentFrom = COUNT, error = failure(), waitsAt }: Behaviour,
  first: number,
  signal: AbortSignal,
  log: string[],
  onWait?: (seconds: number) => void,
): AsyncGenerator<TimedPiece, void, undefined> {
  for (let index = first; index < COUNT; index += 1) {
    if (index === failsAt) throw error;
    if (index === waitsAt) {
      onWait?.(60);
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      if (signal.aborted) throw signal.reason;
    }
    if (index >= silentFrom) await aborted(signal);
    log.push(`${name}: ${index}`);
    const start = (index - first) * seconds;
    const phonemes = { start_times_seconds: [start] };
    yield { index, start, duration: seconds, cached: false, phonemes };
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

async function collect(first: Speaker<TimedPiece>, signal?: AbortSignal) {
  const pieces = [];
  for await (const piece of speakInTurn(() => first, signal)) pieces.push(piece);
  return pieces;
}

describe('speech in turn', () => {
  it('delivers each piece once, whoever speaks it', async () => {
    for (let failsAt = 0; failsAt < COUNT; failsAt += 1) {
      const { first } = speakers({ failsAt }, {});
      const pieces = await collect(first);
      assert.deepEqual(
        pieces.map(({ index, takeover }) => [index, takeover?.account]),
        [...Array(COUNT).keys()].map((index) => [index, index < failsAt ? undefined : 'speaker 2']),
      );
    }
  });

  it('gives times in the whole speech after a change of the rate', async () => {
    const { first } = speakers({ failsAt: 2, seconds: 1 }, { seconds: 3 });
    const pieces = await collect(first);
    assert.deepEqual(
      pieces.map(({ start }) => start),
      [0, 1, 2, 5, 8],
    );
    assert.deepEqual(
      pieces.map(({ phonemes }) => phonemes?.start_times_seconds),
      [[0], [1], [2], [5], [8]],
    );
  });

  it('goes on to a third speaker, and reports the first failure', async () => {
    const error = new SpeechError('out-of-credits', 'empty');
    const { first } = speakers({ failsAt: 1, error }, { failsAt: 3 }, {});
    const takeover = (await collect(first)).at(-1)?.takeover;
    assert.deepEqual([takeover?.account, takeover?.from, takeover?.reason], ['speaker 3', 3, error]);
  });

  it('takes over from a speaker that is silent in the middle, and aborts it', () =>
    withFakeClock(async ({ advance, pending }) => {
      const { first, log } = speakers({ silentFrom: 2 }, {});
      const work = collect(first);
      await advance(1000);
      const pieces = await work;
      assert.equal(pieces.at(-1)?.takeover?.reason.message, 'no audio within 1 s');
      assert.deepEqual(log.slice(0, 3), ['speaker 1: 0', 'speaker 1: 1', 'speaker 2: 2']);
      assert.equal(pending(), 0);
    }));

  it('waits for an announced pause in the middle of a text, but not before the first audio', () =>
    withFakeClock(async ({ advance }) => {
      for (const [waitsAt, speaker] of [
        [2, undefined],
        [0, 'speaker 2'],
      ] as const) {
        const { first } = speakers({ waitsAt }, {});
        const work = collect(first);
        await advance(60_000);
        assert.equal((await work).at(-1)?.takeover?.account, speaker);
      }
    }));

  it('takes over if a speaker stays silent after an announced pause', () =>
    withFakeClock(async ({ advance }) => {
      const { first } = speakers({ waitsAt: 2, silentFrom: 2 }, {});
      const work = collect(first);
      await advance(61_000);
      assert.equal((await work).at(-1)?.takeover?.from, 2);
    }));

  it('sets no time limit for the last speaker', () =>
    withFakeClock(async ({ advance, pending }) => {
      const { first } = speakers({ silentFrom: 0 });
      const controller = new AbortController();
      const work = rejection(collect(first, controller.signal));
      await advance(3_600_000);
      assert.equal(pending(), 0);
      controller.abort(new SpeechError('aborted', 'enough'));
      assert.equal((await work).message, 'enough');
    }));

  it('does not count the time that the caller takes for a piece', () =>
    withFakeClock(async ({ advance }) => {
      const { first } = speakers({}, {});
      for await (const { takeover } of speakInTurn(() => first, undefined)) {
        assert.equal(takeover, undefined);
        await advance(60_000);
      }
    }));

  it('ends the speaker when the caller stops reading', async () => {
    const { first, log } = speakers({}, {});
    for await (const { index } of speakInTurn(() => first, undefined)) if (index === 1) break;
    assert.deepEqual(log, ['speaker 1: 0', 'speaker 1: 1']);
  });

  it('throws the first failure with a note if all fail', async () => {
    const second = new SpeechError('out-of-credits', 'empty');
    const { first } = speakers({ failsAt: 0 }, { failsAt: 2, error: second });
    const error = await rejection(collect(first));
    assert.equal(error.code, 'no-connection');
    assert.equal(error.message, 'nothing listens; the fallback "speaker 2" failed too: empty');
  });

  it('does not take over after a failure that a retry cannot help', async () => {
    const error = new SpeechError('bad-request', 'text is missing');
    const { first, log } = speakers({ failsAt: 0, error }, {});
    assert.equal(await rejection(collect(first)), error);
    assert.deepEqual(log, []);
  });
});
