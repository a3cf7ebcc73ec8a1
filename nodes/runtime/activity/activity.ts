import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NodeAPI } from 'node-red';
import type { RecordedAnnouncement, AnnouncementEntry, AnnouncingNode } from './announcement.js';
import { type Control, ActivityEntry } from './entry.js';
import { type Silence, Sounds } from './sounds.js';

/** Number of past announcements in the record. */
export const MAX_PAST = 50;
/** Number of current and queued announcements that an editor gets. The editor shows the number of the others. */
export const MAX_LISTED = 100;

/** A part of the record for an editor that already has an earlier part. */
interface ActivityView {
  /** The revision to ask for next time. */
  revision: number;
  /** The announcements to show: current ones, queued ones by priority and arrival, then past ones, the latest first. */
  ids: number[];
  /** The listed announcements that have changed since the revision of the request. */
  changed: ActivityEntry[];
  /** The number of queued announcements of each node, listed or not. */
  waiting: { node: string; count: number }[];
}

/** The current, queued and past announcements of this Node-RED. The number of past ones is limited, the queues limit the others. */
export class ActivityRecord {
  /** Identifies the run of Node-RED: its revisions start at 0. */
  readonly run = randomUUID();
  private readonly open = new Map<number, ActivityEntry>();
  /** The latest last. */
  private readonly past: ActivityEntry[] = [];
  private lastId = 0;
  private revision = 0;
  private readonly notifier: Notifier;
  readonly sounds: Sounds;

  /**
   * @param publish sends the revision of the record to the editors
   * @param silence sends a stop of sounds to the editors
   */
  constructor(publish: (revision: number) => void, silence: (silence: Silence) => void = () => undefined) {
    this.notifier = new Notifier(publish);
    this.sounds = new Sounds(silence);
  }

  /** Records a message that a node has received. */
  add(node: AnnouncingNode, control: Control): AnnouncementEntry {
    const entry = new ActivityEntry((this.lastId += 1), node, control, (changed) => this.onChange(changed));
    this.open.set(this.lastId, entry);
    this.sounds.add(entry.sound);
    this.touch(entry);
    return entry;
  }

  /** Returns an announcement, or undefined if it has left the record. */
  find(id: number): ActivityEntry | undefined {
    return this.open.get(id) ?? this.past.find(({ announcement }) => announcement.id === id);
  }

  /** Stops an announcement. Its sound ends wherever Herald plays it, also after the end of the work. */
  stop(id: number): void {
    const entry = this.find(id);
    if (entry === undefined) return;
    this.sounds.stop(entry.sound);
    entry.stop();
  }

  /** Stops the queued announcements of a node. The current ones continue. */
  clearQueue(node: string): void {
    const queued = [...this.open.values()].filter((entry) => entry.isQueued && nodeOf(entry) === node);
    for (const entry of queued) entry.stop();
  }

  /**
   * Returns the changes for an editor, which then waits for the next change.
   * @param since the revision of the former reply to this editor, 0 for the first request
   */
  async view(since: number): Promise<ActivityView> {
    const previews = this.listed().map((entry) => entry.preview());
    // A slow text, such as one of a context on disk, follows as a change.
    await Promise.race([Promise.all(previews), nextTurn()]);
    const entries = this.listed();
    for (const entry of entries.filter(({ isListed }) => !isListed)) {
      entry.isListed = true;
      entry.revision = this.revision += 1;
    }
    const listed = new Set(entries);
    // An editor forgets an announcement that leaves the list, such as one behind a message of a higher priority.
    for (const entry of this.open.values()) entry.isListed = listed.has(entry);
    this.notifier.seen(this.revision);
    return {
      revision: this.revision,
      ids: entries.map(({ announcement }) => announcement.id),
      changed: entries.filter(({ revision }) => revision > since),
      waiting: this.waiting(),
    };
  }

  private listed(): ActivityEntry[] {
    const open = [...this.open.values()];
    const queued = open
      .filter(({ isQueued }) => isQueued)
      .sort((one, other) => other.sound.priority - one.sound.priority);
    const current = [...open.filter(({ isQueued }) => !isQueued), ...queued];
    return [...current.slice(0, MAX_LISTED), ...this.past.toReversed()];
  }

  private waiting(): ActivityView['waiting'] {
    const counts = new Map<string, number>();
    for (const entry of this.open.values()) {
      if (entry.isQueued) counts.set(nodeOf(entry), (counts.get(nodeOf(entry)) ?? 0) + 1);
    }
    return [...counts].map(([node, count]) => ({ node, count }));
  }

  private onChange(entry: ActivityEntry): void {
    if (entry.hasEnded && this.open.delete(entry.announcement.id)) {
      this.past.push(entry);
      if (this.past.length > MAX_PAST) this.past.shift()?.forget();
    }
    this.touch(entry);
  }

  private touch(entry: ActivityEntry): void {
    entry.revision = this.revision += 1;
    this.notifier.changed(this.revision);
  }
}

const nodeOf = ({ announcement }: { announcement: RecordedAnnouncement }): string => announcement.node;

/** The topic on which editors receive the revision of the record. The texts need a request with permission. */
const TOPIC = 'herald/activity';
/** The topic on which editors receive a `Silence`. */
const SILENCE_TOPIC = 'herald/silence';

/** Node-RED passes a separate `RED` object to each module, but always the same emitter of events. */
const activities = new WeakMap<NodeAPI['events'], ActivityRecord>();

/** Returns the record of a Node-RED. It lasts as long as the process, so that a deploy keeps the past announcements. */
export function activityOf({ events, comms }: Pick<NodeAPI, 'events' | 'comms'>): ActivityRecord {
  const activity =
    activities.get(events) ??
    new ActivityRecord(
      (revision) => comms.publish(TOPIC, { revision }, false),
      (silence) => comms.publish(SILENCE_TOPIC, silence, false),
    );
  activities.set(events, activity);
  return activity;
}

/** Milliseconds between two notifications: at most four per second. */
const INTERVAL_MS = 250;

/**
 * Notifies editors of changes. After a notification it waits until an editor has asked for the changes. Without an open
 * editor, changes thus cause neither notifications nor timers.
 */
class Notifier {
  private current = 0;
  /** The latest revision in a reply to an editor. -1 before the first reply. */
  private lastSeen = -1;
  /** The revision of the latest notification. */
  private notified = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly notify: (revision: number) => void) {}

  /** Notes that an editor has the record up to a revision. */
  seen(revision: number): void {
    this.lastSeen = Math.max(this.lastSeen, revision);
  }

  changed(revision: number): void {
    this.current = revision;
    const isAwaited = this.lastSeen >= this.notified;
    if (isAwaited) this.timer ??= setTimeout(() => this.send(), INTERVAL_MS).unref();
  }

  private send(): void {
    this.timer = undefined;
    this.notified = this.current;
    this.notify(this.current);
  }
}
