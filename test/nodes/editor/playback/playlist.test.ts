import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { PlayOrder } from '../../../../nodes/editor/playback/playlist.js';

/** A player that records starts and ends, and plays each item until the test ends it. */
function recorder() {
  const record: string[] = [];
  const ends = new Map<string, { end(): void; fail(error: Error): void }>();
  const play = (item: string, signal: AbortSignal): Promise<void> => {
    record.push(`${item} starts`);
    return new Promise<void>((resolve, reject) => {
      ends.set(item, { end: resolve, fail: reject });
      signal.addEventListener('abort', () => resolve());
    }).finally(() => record.push(`${item} ends`));
  };
  const end = async (item: string, error?: Error) => {
    if (error) ends.get(item)?.fail(error);
    else ends.get(item)?.end();
    await turn();
  };
  return { record, play, end };
}

const noError = (error: unknown) => assert.fail(String(error));

describe('playlist of the editor', () => {
  it('plays announcements one at a time in order', async () => {
    const { record, play, end } = recorder();
    const playlist = new PlayOrder(play, noError);
    for (const item of ['one', 'two']) playlist.add(item);
    await turn();
    assert.deepEqual(record, ['one starts']);
    await end('one');
    await end('two');
    assert.deepEqual(record, ['one starts', 'one ends', 'two starts', 'two ends']);
  });

  it('plays a new announcement after the last one has ended', async () => {
    const { record, play, end } = recorder();
    const playlist = new PlayOrder(play, noError);
    playlist.add('one');
    await end('one');
    playlist.add('two');
    await end('two');
    assert.equal(record.at(-1), 'two ends');
  });

  it('drops the oldest waiting announcements above the limit', async () => {
    const { record, play, end } = recorder();
    const playlist = new PlayOrder(play, noError, { maxWaiting: 2 });
    for (const item of ['one', 'two', 'three', 'four']) playlist.add(item);
    for (const item of ['one', 'three', 'four']) await end(item);
    assert.deepEqual(
      record.filter((line) => line.endsWith('starts')),
      ['one starts', 'three starts', 'four starts'],
    );
  });

  it('counts the pieces of one text as one announcement, and drops them together', async () => {
    const { record, play, end } = recorder();
    const playlist = new PlayOrder(play, noError, { announcementOf: (item) => item[0], maxWaiting: 2 });
    const items = ['a one', 'b one', 'b two', 'c one', 'c two', 'c three', 'd one'];
    for (const item of items) playlist.add(item);
    for (const item of ['a one', 'c one', 'c two', 'c three', 'd one']) await end(item);
    assert.deepEqual(
      record.filter((line) => line.endsWith('starts')),
      ['a one starts', 'c one starts', 'c two starts', 'c three starts', 'd one starts'],
    );
  });

  const priorityOf = (item: string) => Number(item[0]);
  const startsIn = (record: readonly string[]) =>
    record.filter((line) => line.endsWith('starts')).map((line) => line.replace(' starts', ''));

  it('plays announcements of a higher priority first, equal ones in the order of arrival, and cuts none', async () => {
    const { record, play, end } = recorder();
    const playlist = new PlayOrder(play, noError, { priorityOf });
    for (const item of ['0 news', '0 weather', '9 alarm', '5 bell', '9 fire']) playlist.add(item);
    await turn();
    assert.deepEqual(record, ['0 news starts']);
    const order = ['0 news', '9 alarm', '9 fire', '5 bell', '0 weather'];
    for (const item of order) await end(item);
    assert.deepEqual(startsIn(record), order);
  });

  it('plays the pieces of the current text before an announcement of a higher priority', async () => {
    const { record, play, end } = recorder();
    const announcementOf = (item: string) => item.slice(0, 3);
    const playlist = new PlayOrder(play, noError, { priorityOf, announcementOf });
    for (const item of ['0 a one', '0 b one', '9 c one', '0 a two', '0 b two']) playlist.add(item);
    const order = ['0 a one', '0 a two', '9 c one', '0 b one', '0 b two'];
    for (const item of order) await end(item);
    assert.deepEqual(startsIn(record), order);
  });

  it('drops the oldest announcements of the lowest priority above the limit', async () => {
    const { record, play, end } = recorder();
    const playlist = new PlayOrder(play, noError, { priorityOf, maxWaiting: 2 });
    const dropped = ['0 a', '9 alarm', '0 b', '0 c', '0 d'].map((item) => playlist.add(item));
    assert.deepEqual(dropped.flat(), ['0 b', '0 c']);
    for (const item of ['0 a', '9 alarm', '0 d']) await end(item);
    assert.deepEqual(startsIn(record), ['0 a', '9 alarm', '0 d']);
  });

  it('reports a failed announcement and plays the next one', async () => {
    const { record, play, end } = recorder();
    const errors: unknown[] = [];
    const playlist = new PlayOrder(play, (error) => errors.push(error));
    for (const item of ['one', 'two']) playlist.add(item);
    const error = new Error('unreadable');
    await end('one', error);
    await end('two');
    assert.deepEqual(errors, [error]);
    assert.equal(record.at(-1), 'two ends');
  });

  it('drops waiting announcements and plays the current one to its end', async () => {
    const { record, play, end } = recorder();
    const playlist = new PlayOrder(play, noError);
    for (const item of ['a one', 'a two', 'b one']) playlist.add(item);
    playlist.drop((item) => item.startsWith('a'));
    await turn();
    assert.deepEqual(record, ['a one starts']);
    await end('a one');
    await end('b one');
    assert.deepEqual(record, ['a one starts', 'a one ends', 'b one starts', 'b one ends']);
  });

  it('reports no error for an announcement that it stopped', async () => {
    const play = (_item: string, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('gone'))),
      );
    const playlist = new PlayOrder(play, noError);
    playlist.add('one');
    playlist.stop(() => true);
    await turn();
  });

  it('stops current and waiting announcements that match, and plays the others', async () => {
    const { record, play, end } = recorder();
    const playlist = new PlayOrder(play, noError);
    for (const item of ['a one', 'a two', 'b one']) playlist.add(item);
    playlist.stop((item) => item.startsWith('a'));
    await turn();
    await end('b one');
    assert.deepEqual(record, ['a one starts', 'a one ends', 'b one starts', 'b one ends']);
  });
});
