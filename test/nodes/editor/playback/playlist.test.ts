import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { createPlaylist } from '../../../../nodes/editor/playback/playlist.js';

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
    const playlist = createPlaylist(play, noError);
    for (const item of ['one', 'two']) playlist.add(item);
    await turn();
    assert.deepEqual(record, ['one starts']);
    await end('one');
    await end('two');
    assert.deepEqual(record, ['one starts', 'one ends', 'two starts', 'two ends']);
  });

  it('plays a new announcement after the last one has ended', async () => {
    const { record, play, end } = recorder();
    const playlist = createPlaylist(play, noError);
    playlist.add('one');
    await end('one');
    playlist.add('two');
    await end('two');
    assert.equal(record.at(-1), 'two ends');
  });

  it('drops the oldest waiting announcements above the limit', async () => {
    const { record, play, end } = recorder();
    const playlist = createPlaylist(play, noError, { maxWaiting: 2 });
    for (const item of ['one', 'two', 'three', 'four']) playlist.add(item);
    for (const item of ['one', 'three', 'four']) await end(item);
    assert.deepEqual(
      record.filter((line) => line.endsWith('starts')),
      ['one starts', 'three starts', 'four starts'],
    );
  });

  it('counts the pieces of one text as one announcement, and drops them together', async () => {
    const { record, play, end } = recorder();
    const playlist = createPlaylist(play, noError, { announcementOf: (item) => item[0], maxWaiting: 2 });
    const items = ['a one', 'b one', 'b two', 'c one', 'c two', 'c three', 'd one'];
    for (const item of items) playlist.add(item);
    for (const item of ['a one', 'c one', 'c two', 'c three', 'd one']) await end(item);
    assert.deepEqual(
      record.filter((line) => line.endsWith('starts')),
      ['a one starts', 'c one starts', 'c two starts', 'c three starts', 'd one starts'],
    );
  });

  it('reports a failed announcement and plays the next one', async () => {
    const { record, play, end } = recorder();
    const errors: unknown[] = [];
    const playlist = createPlaylist(play, (error) => errors.push(error));
    for (const item of ['one', 'two']) playlist.add(item);
    const error = new Error('unreadable');
    await end('one', error);
    await end('two');
    assert.deepEqual(errors, [error]);
    assert.equal(record.at(-1), 'two ends');
  });

  it('drops waiting announcements and plays the current one to its end', async () => {
    const { record, play, end } = recorder();
    const playlist = createPlaylist(play, noError);
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
    const playlist = createPlaylist(play, noError);
    playlist.add('one');
    playlist.stop(() => true);
    await turn();
  });

  it('stops current and waiting announcements that match, and plays the others', async () => {
    const { record, play, end } = recorder();
    const playlist = createPlaylist(play, noError);
    for (const item of ['a one', 'a two', 'b one']) playlist.add(item);
    playlist.stop((item) => item.startsWith('a'));
    await turn();
    await end('b one');
    assert.deepEqual(record, ['a one starts', 'a one ends', 'b one starts', 'b one ends']);
  });
});
