import assert from 'node:assert/strict';
import { SpeakerQueue, type Wish } from '../../../nodes/speakers/speaker-queue.js';
import { never } from '../../support/waiting.js';

describe('the queues of the speakers', () => {
  const queue = () => {
    const speakers = new SpeakerQueue();
    const started: string[] = [];
    const book = (name: string, wish: Partial<Wish> = {}) => {
      const booking = speakers.book({
        speakers: ['room'],
        priority: 0,
        node: name,
        interrupts: false,
        ...wish,
      });
      const ready = async () => {
        await booking.turn(never);
        started.push(name);
      };
      return { ...booking, ready: () => void ready() };
    };
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    return { speakers, started, book, settled };
  };

  it('give an announcement all of its speakers at a time, in the order of arrival', async () => {
    const { started, book, settled } = queue();
    const [a, b, c] = [
      book('a'),
      book('b', { speakers: ['room', 'bath'] }),
      book('c', { speakers: ['bath'] }),
    ];
    for (const one of [a, b, c]) one.ready();
    await settled();
    assert.deepEqual(started, ['a']);
    a.leave();
    await settled();
    assert.deepEqual(started, ['a', 'b']);
    b.leave('bath');
    await settled();
    assert.deepEqual(started, ['a', 'b', 'c']);
  });

  it('let another node go first while a sound is not ready, and keep the order of one node', async () => {
    const { started, book, settled } = queue();
    const [slow, other, own] = [book('x'), book('y'), book('x')];
    other.ready();
    own.ready();
    await settled();
    assert.deepEqual(started, ['y']);
    other.leave();
    await settled();
    assert.deepEqual(started, ['y']);
    slow.ready();
    await settled();
    slow.leave();
    await settled();
    assert.deepEqual(started, ['y', 'x', 'x']);
    own.leave();
  });

  it('take the speaker from a lower priority that plays, and put a higher one in front of those that wait', async () => {
    const { started, book, settled } = queue();
    const [low, waiting, high] = [book('low'), book('waiting'), book('high', { priority: 1 })];
    low.ready();
    waiting.ready();
    await settled();
    assert.equal(low.taken('room').aborted, false);
    high.ready();
    await settled();
    assert.equal(low.taken('room').aborted, true);
    assert.equal(waiting.taken('room').aborted, false);
    assert.deepEqual(started, ['low']);
    low.leave();
    await settled();
    assert.deepEqual(started, ['low', 'high']);
    high.leave();
    await settled();
    assert.deepEqual(started, ['low', 'high', 'waiting']);
  });

  it('let an interrupt end all earlier announcements, but none of a higher priority', async () => {
    const { book, settled } = queue();
    const [high, equal, by] = [
      book('high', { priority: 1 }),
      book('equal'),
      book('by', { interrupts: true }),
    ];
    for (const one of [high, equal, by]) one.ready();
    await settled();
    assert.equal(high.taken('room').aborted, false);
    assert.equal(equal.taken('room').aborted, true);
  });

  it('say whether a speaker is idle, plays or is waited for', async () => {
    const { speakers, book, settled } = queue();
    assert.equal(speakers.stateOf('room'), 'idle');
    const one = book('one');
    one.ready();
    await settled();
    assert.equal(speakers.stateOf('room'), 'playing');
    one.leave();
    assert.equal(speakers.stateOf('room'), 'idle');
  });

  it('drop an announcement whose message is stopped while it waits', async () => {
    const { started, speakers, book, settled } = queue();
    const first = book('first');
    first.ready();
    const stop = new AbortController();
    const stopped = speakers.book({ speakers: ['room'], priority: 0, node: 'stopped', interrupts: false });
    const waiting = assert.rejects(stopped.turn(stop.signal), { message: 'stopped' });
    const last = book('last');
    last.ready();
    stop.abort(new Error('stopped'));
    await waiting;
    stopped.leave();
    first.leave();
    await settled();
    assert.deepEqual(started, ['first', 'last']);
  });
});
