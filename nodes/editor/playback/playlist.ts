/** Plays one thing after the other. */

/** Announcements that may wait; a further one drops the oldest, which is the stalest news. */
const MAX_WAITING = 20;

/** What plays, and what waits. */
export interface Playlist<Item> {
  add(item: Item): void;
  /** Drops those that wait and match. */
  forget(matches: (item: Item) => boolean): void;
  /** The same, and ends the one that plays where it matches. */
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
      const { signal } = playing.stop;
      // What was stopped on purpose has not failed.
      await play(item, signal).catch((error: unknown) => signal.aborted || failed(error));
    }
    playing = undefined;
  };
  const forget = (matches: (item: Item) => boolean) => {
    waiting = waiting.filter((item) => !matches(item));
  };
  return {
    add(item) {
      waiting = [...waiting, item].slice(-maxWaiting);
      if (playing === undefined) void run();
    },
    forget,
    stop(matches) {
      forget(matches);
      if (playing !== undefined && matches(playing.item)) playing.stop.abort();
    },
  };
}
