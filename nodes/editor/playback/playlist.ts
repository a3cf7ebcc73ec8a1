/** A queue that plays one item at a time. */

/** Waiting items. A further item drops the oldest one: old announcements are the least useful. */
const MAX_WAITING = 20;

export interface Playlist<Item> {
  add(item: Item): void;
  /** Drops matching items that wait. */
  drop(matches: (item: Item) => boolean): void;
  /** Drops matching items that wait, and stops the current item if it matches. */
  stop(matches: (item: Item) => boolean): void;
}

/**
 * @param play plays an item; resolves when the item has ended or the signal fires
 * @param onError receives each error of `play`; the next item plays nevertheless
 */
export function createPlaylist<Item>(
  play: (item: Item, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  maxWaiting = MAX_WAITING,
): Playlist<Item> {
  let waiting: Item[] = [];
  let playing: { item: Item; stop: AbortController } | undefined;
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      playing = { item, stop: new AbortController() };
      const { signal } = playing.stop;
      await play(item, signal).catch((error: unknown) => signal.aborted || onError(error));
    }
    playing = undefined;
  };
  const drop = (matches: (item: Item) => boolean) => {
    waiting = waiting.filter((item) => !matches(item));
  };
  return {
    add(item) {
      waiting = [...waiting, item].slice(-maxWaiting);
      if (playing === undefined) void run();
    },
    drop,
    stop(matches) {
      drop(matches);
      if (playing !== undefined && matches(playing.item)) playing.stop.abort();
    },
  };
}
