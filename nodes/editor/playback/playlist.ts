/** A queue that plays one item at a time: items of a higher priority first, equal ones in the order of their arrival. */

/** Waiting announcements. A further one drops the oldest one of the lowest priority: old announcements are the least useful. */
const MAX_WAITING = 20;
/** Waiting items: the pieces of all announcements. */
const MAX_ITEMS = 1000;

interface PlaylistOptions<Item> {
  /** Returns the announcement of an item: its items are dropped together. Default: the item. */
  announcementOf?: (item: Item) => unknown;
  /** Returns the priority of an item. Default: 0. */
  priorityOf?: (item: Item) => number;
  /** Called with the current item and the items that wait, after each change. */
  changed?: (items: readonly Item[]) => void;
  maxWaiting?: number;
}

/** Plays items. Each change returns the items that do not play to their ends. */
export class PlayOrder<Item> {
  private waiting: Item[] = [];
  private playing: { item: Item; stop: AbortController } | undefined;
  private readonly options: Required<PlaylistOptions<Item>>;

  /**
   * @param play plays an item; resolves when the item has ended or the signal fires
   * @param onError receives each error of `play`; the next item plays nevertheless
   */
  constructor(
    private readonly play: (item: Item, signal: AbortSignal) => Promise<void>,
    private readonly onError: (error: unknown) => void,
    options: PlaylistOptions<Item> = {},
  ) {
    this.options = {
      announcementOf: (item) => item,
      priorityOf: () => 0,
      changed: () => undefined,
      maxWaiting: MAX_WAITING,
      ...options,
    };
  }

  add(item: Item): Item[] {
    const all = [...this.waiting, item];
    const { announcementOf, maxWaiting } = this.options;
    this.waiting = mostUrgent(all, { announcementOf, rankOf: (one) => this.rankOf(one), maxWaiting });
    const kept = new Set(this.waiting);
    if (this.playing === undefined) void this.run();
    else this.report();
    return all.filter((one) => !kept.has(one));
  }

  /** Drops matching items that wait. */
  drop(matches: (item: Item) => boolean): Item[] {
    const dropped = this.waiting.filter(matches);
    this.waiting = this.waiting.filter((item) => !matches(item));
    this.report();
    return dropped;
  }

  /** Drops matching items that wait, and stops the current item if it matches. Returns each stopped item once. */
  stop(matches: (item: Item) => boolean): Item[] {
    const dropped = this.drop(matches);
    if (this.playing === undefined || !matches(this.playing.item)) return dropped;
    const { item, stop } = this.playing;
    if (stop.signal.aborted) return dropped;
    stop.abort();
    return [item, ...dropped];
  }

  private async run(): Promise<void> {
    for (let item = this.waiting.shift(); item !== undefined; item = this.waiting.shift()) {
      this.playing = { item, stop: new AbortController() };
      const { signal } = this.playing.stop;
      this.report();
      await this.play(item, signal).catch((error: unknown) => signal.aborted || this.onError(error));
    }
    this.playing = undefined;
    this.report();
  }

  private report(): void {
    const current = this.playing === undefined ? [] : [this.playing.item];
    this.options.changed([...current, ...this.waiting]);
  }

  /** Ranks the current announcement first: it plays to its last piece, and only an interrupt cuts it. */
  private rankOf(item: Item): number {
    const { announcementOf, priorityOf } = this.options;
    const isCurrent =
      this.playing !== undefined && announcementOf(item) === announcementOf(this.playing.item);
    return isCurrent ? Number.MAX_VALUE : priorityOf(item);
  }
}

interface Ranking<Item> {
  announcementOf(item: Item): unknown;
  rankOf(item: Item): number;
  maxWaiting: number;
}

/** Returns the items of the most urgent announcements, the most urgent first. Among equal ones, the latest announcements stay. */
function mostUrgent<Item>(
  items: readonly Item[],
  { announcementOf, rankOf, maxWaiting }: Ranking<Item>,
): Item[] {
  const all = [...items].sort((one, other) => rankOf(one) - rankOf(other)).slice(-MAX_ITEMS);
  const kept = new Set([...new Set(all.map(announcementOf))].slice(-maxWaiting));
  return all
    .filter((item) => kept.has(announcementOf(item)))
    .sort((one, other) => rankOf(other) - rankOf(one));
}
