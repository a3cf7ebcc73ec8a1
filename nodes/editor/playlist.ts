/** Plays one thing after the other. */

/** Announcements that may wait; a further one drops the oldest, which is the stalest news. */
const MAX_WAITING = 20;

/** What plays, and what waits. */
export interface Playlist<Item> {
  add(item: Item): void;
  /** Ends the one that plays and forgets those that wait, where they match. */
  stop(matches: (item: Item) => boolean): void;
}

/**
 * @param play plays an item; resolves when it is over, or at once when the signal fires
 * @param failed told what `play` throws; the next item plays nevertheless
 */
export function createPlaylist<Item>(
  play: (item: Item, signal: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
  maxWaiting = MAX_WAITING,
): Playlist<Item> {
  let waiting: Item[] = [];
  let playing: { item: Item; stop: AbortController } | undefined;
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      playing = { item, stop: new AbortController() };
      await play(item, playing.stop.signal).catch(failed);
    }
    playing = undefined;
  };
  return {
    add(item) {
      waiting = [...waiting, item].slice(-maxWaiting);
      if (playing === undefined) void run();
    },
    stop(matches) {
      waiting = waiting.filter((item) => !matches(item));
      if (playing !== undefined && matches(playing.item)) playing.stop.abort();
    },
  };
}
