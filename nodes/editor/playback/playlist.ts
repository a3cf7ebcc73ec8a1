/** A queue that plays one item at a time. */

/** Waiting announcements. A further one drops the oldest one: old announcements are the least useful. */
const MAX_WAITING = 20;
/** Waiting items: the pieces of all announcements. */
const MAX_ITEMS = 1000;

export interface Playlist<Item> {
  add(item: Item): void;
  /** Drops matching items that wait. */
  drop(matches: (item: Item) => boolean): void;
  /** Drops matching items that wait, and stops the current item if it matches. */
  stop(matches: (item: Item) => boolean): void;
}

interface PlaylistOptions<Item> {
  /** Returns the announcement of an item: its items are dropped together. Default: the item. */
  announcementOf?: (item: Item) => unknown;
  /** Called with the current item and the items that wait, after each change. */
  changed?: (items: readonly Item[]) => void;
  maxWaiting?: number;
}

/**
 * @param play plays an item; resolves when the item has ended or the signal fires
 * @param onError receives each error of `play`; the next item plays nevertheless
 */
export function createPlaylist<Item>(
  play: (item: Item, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  {
    announcementOf = (item) => item,
    changed = () => undefined,
    maxWaiting = MAX_WAITING,
  }: PlaylistOptions<Item> = {},
): Playlist<Item> {
  let waiting: Item[] = [];
  let playing: { item: Item; stop: AbortController } | undefined;
  const report = () => changed([...(playing === undefined ? [] : [playing.item]), ...waiting]);
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      playing = { item, stop: new AbortController() };
      const { signal } = playing.stop;
      report();
      await play(item, signal).catch((error: unknown) => signal.aborted || onError(error));
    }
    playing = undefined;
    report();
  };
  const drop = (matches: (item: Item) => boolean) => {
    waiting = waiting.filter((item) => !matches(item));
    report();
  };
  return {
    add(item) {
      waiting = latest([...waiting, item], announcementOf, maxWaiting);
      if (playing === undefined) void run();
      else report();
    },
    drop,
    stop(matches) {
      drop(matches);
      if (playing !== undefined && matches(playing.item)) playing.stop.abort();
    },
  };
}

/** Returns the items of the latest announcements. */
function latest<Item>(
  items: readonly Item[],
  announcementOf: (item: Item) => unknown,
  maxWaiting: number,
): Item[] {
  const all = items.slice(-MAX_ITEMS);
  const kept = new Set([...new Set(all.map(announcementOf))].slice(-maxWaiting));
  return all.filter((item) => kept.has(announcementOf(item)));
}
