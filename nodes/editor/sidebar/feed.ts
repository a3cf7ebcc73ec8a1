/** Follows the record of announcements while the sidebar is visible. */
import { countOf, type Fields, fieldsOf, listOf, numberOf, textOf } from '@herald-speech/browser';
import { readRuntime } from '../lib/runtime.js';
import { type Activity, type ShownAnnouncement, announcementOf, waitingOf } from './announcement.js';

/** The topic on which the runtime publishes the revision of its record (`nodes/runtime/activity/activity.ts`). */
const TOPIC = 'herald/activity';
/** Milliseconds between two requests without a notification, which can get lost. */
const REFRESH_MS = 30_000;

export interface FeedOptions {
  show(activity: Activity): void;
  failed(error: unknown): void;
}

/** Requests the changes of the record after each notification, one request at a time. */
export class Feed {
  private readonly known = new Map<number, ShownAnnouncement>();
  private run = '';
  private revision = 0;
  private isBusy = false;
  private isOutdated = false;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly options: FeedOptions) {}

  start(): void {
    if (this.timer !== undefined) return;
    RED.comms.subscribe(TOPIC, this.receive);
    // After a lost connection, Node-RED may have restarted.
    RED.comms.on('connect', this.refresh);
    this.timer = setInterval(this.refresh, REFRESH_MS);
    this.refresh();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    RED.comms.unsubscribe(TOPIC, this.receive);
    RED.comms.off('connect', this.refresh);
  }

  private readonly receive = (_topic: string, data: unknown): void => {
    if (numberOf(fieldsOf(data)['revision']) !== this.revision) this.refresh();
  };

  readonly refresh = (): void => {
    this.isOutdated = true;
    if (!this.isBusy) void this.update();
  };

  private async update(): Promise<void> {
    this.isBusy = true;
    try {
      while (this.isOutdated) {
        this.isOutdated = false;
        this.read(await readRuntime(`activity?run=${this.run}&since=${this.revision}`));
      }
    } catch (error) {
      this.options.failed(error);
    } finally {
      this.isBusy = false;
    }
  }

  private read(reply: Fields): void {
    const run = textOf(reply['run']);
    if (run !== this.run) this.known.clear();
    this.run = run;
    this.revision = countOf(reply['revision']);
    for (const one of listOf(reply['announcements']).map(announcementOf)) this.known.set(one.id, one);
    const ids = new Set(listOf(reply['ids']));
    for (const id of this.known.keys()) if (!ids.has(id)) this.known.delete(id);
    const announcements = [...ids].flatMap((id) => this.known.get(Number(id)) ?? []);
    this.options.show({ announcements, waiting: waitingOf(reply['waiting']) });
  }
}
