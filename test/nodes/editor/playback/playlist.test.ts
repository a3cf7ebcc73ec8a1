import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { createPlaylist } from '../../../../nodes/editor/playback/playlist.js';

/** A player that plays until it is told that an item is over, and keeps a record. */
function recorder() {
  const record: string[] = [];
  const ends = new Map<string, { over(): void; fail(error: Error): void }>();
  const play = (item: string, signal: AbortSignal): Promise<void> => {
    record.push(`${item} starts`);
    return new Promise<void>((resolve, reject) => {
      ends.set(item, { over: resolve, fail: reject });
      signal.addEventListener('abort', () => resolve());
    }).finally(() => record.push(`${item} ends`));
  };
  const end = async (item: string, error?: Error) => {
    if (error) ends.get(item)?.fail(error);
    else ends.get(item)?.over();
    await turn();
  };
  return { record, play, end };
}

const nothingFails = (error: unknown) => assert.fail(String(error));

describe('playlist of the editor', () => {
  it('plays one announcement after the other, in their order', async () => {
    const { record, play, end } = recorder();
    const playlist = createPlaylist(play, nothingFails);
    for (const item of ['one', 'two']) playlist.add(item);
    await turn();
    assert.deepEqual(record, ['one starts']);
    await end('one');
    await end('two');
    assert.deepEqual(record, ['one starts', 'one ends', 'two starts', 'two ends']);
  });

  it('plays again after it has been empty', async () => {
    const { record, play, end } = recorder();
    const playlist = createPlaylist(play, nothingFails);
    playlist.add('one');
    await end('one');
    playlist.add('two');
    await end('two');
    assert.equal(record.at(-1), 'two ends');
  });

  it('drops the oldest that wait when there are too many', async () => {
    const { record, play, end } = recorder();
    const playlist = createPlaylist(play, nothingFails, 2);
    for (const item of ['one', 'two', 'three', 'four']) playlist.add(item);
    for (const item of ['one', 'three', 'four']) await end(item);
    assert.deepEqual(
      record.filter((line) => line.endsWith('starts')),
      ['one starts', 'three starts', 'four starts'],
    );
  });

  it('goes on after one that fails, and tells of it', async () => {
    const { record, play, end } = recorder();
    const failures: unknown[] = [];
    const playlist = createPlaylist(play, (error) => failures.push(error));
    for (const item of ['one', 'two']) playlist.add(item);
    const error = new Error('unreadable');
    await end('one', error);
    await end('two');
    assert.deepEqual(failures, [error]);
    assert.equal(record.at(-1), 'two ends');
  });

  it('forgets what waits, and lets what plays come to its end', async () => {
    const { record, play, end } = recorder();
    const playlist = createPlaylist(play, nothingFails);
    for (const item of ['a one', 'a two', 'b one']) playlist.add(item);
    playlist.forget((item) => item.startsWith('a'));
    await turn();
    assert.deepEqual(record, ['a one starts']);
    await end('a one');
    await end('b one');
    assert.deepEqual(record, ['a one starts', 'a one ends', 'b one starts', 'b one ends']);
  });

  it('does not call it a failure that it stopped something itself', async () => {
    const play = (_item: string, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('gone'))),
      );
    const playlist = createPlaylist(play, nothingFails);
    playlist.add('one');
    playlist.stop(() => true);
    await turn();
  });

  it('stops what plays and forgets what waits of a muted node, and nothing else', async () => {
    const { record, play, end } = recorder();
    const playlist = createPlaylist(play, nothingFails);
    for (const item of ['a one', 'a two', 'b one']) playlist.add(item);
    playlist.stop((item) => item.startsWith('a'));
    await turn();
    await end('b one');
    assert.deepEqual(record, ['a one starts', 'a one ends', 'b one starts', 'b one ends']);
  });
});
