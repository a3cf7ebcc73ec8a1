import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SpeechError } from '@herald-speech/client';
import {
  type RecordedAnnouncement,
  type AnnouncementEntry,
  type AnnouncementFacts,
  type AnnouncingNode,
  recordedText,
} from './announcement.js';
import { Replay } from './replay.js';
import { AnnouncedSound } from './sounds.js';

/** The work on an announcement, as its node controls it. */
export interface Control {
  /** Returns the text of a message that waits. Called at most once, if an editor shows the message. */
  preview(): Promise<string>;
  /** Stops the announcement. Other announcements continue. */
  stop(): void;
  /** The value of `msg.priority`, 0 by default. */
  readonly priority: number;
}

const TEXTS = ['text', 'voice', 'language'] as const;

/** An announcement in the record, with its control until it has ended. */
export class ActivityEntry implements AnnouncementEntry {
  readonly announcement: RecordedAnnouncement;
  /** The revision of the record at the last change. */
  revision = 0;
  /** True if the editors have the announcement: the latest list contained it. */
  isListed = false;
  readonly replay = new Replay();
  readonly sound: AnnouncedSound;
  /** Undefined when neither the text nor a stop is needed any more. */
  private control: Control | undefined;
  private isPreviewed = false;

  /** @param changed called after each change */
  constructor(
    id: number,
    node: AnnouncingNode,
    control: Control,
    private readonly changed: (entry: ActivityEntry) => void,
  ) {
    this.announcement = { ...node, id, state: 'queued', text: '', queuedAt: Date.now() };
    this.control = control;
    this.sound = new AnnouncedSound(node.node, control.priority);
    this.sound.onChange = () => changed(this);
  }

  get isQueued(): boolean {
    return this.announcement.state === 'queued';
  }

  get hasEnded(): boolean {
    return this.announcement.endedAt !== undefined;
  }

  started(): void {
    if (!this.isQueued) return;
    this.change({ state: 'speaking', startedAt: Date.now() });
  }

  note({ replay, ...facts }: AnnouncementFacts): void {
    if (this.hasEnded) return;
    if (replay !== undefined) this.replay.add(replay);
    // A message can also name a voice or a language of any length.
    for (const name of TEXTS) if (facts[name] !== undefined) facts[name] = recordedText(facts[name]);
    this.change(facts);
  }

  ended(error?: SpeechError): void {
    if (this.hasEnded) return;
    this.sound.isOpen = false;
    const failure = error?.route === 'stopped' ? 'stopped' : 'failed';
    const state = error === undefined ? 'done' : failure;
    this.change({ state, endedAt: Date.now(), ...(error !== undefined && { error }) });
    if (error !== undefined && this.announcement.startedAt === undefined) void this.previewLate();
    else this.control = undefined;
  }

  stop(): void {
    if (!this.hasEnded) this.control?.stop();
  }

  /** Reads the text of a message that was not started, once. */
  async preview(): Promise<void> {
    const { control, announcement } = this;
    if (this.isPreviewed || announcement.startedAt !== undefined || control === undefined) return;
    this.isPreviewed = true;
    const text = await control.preview().catch(() => '');
    if (announcement.text === '' && text !== '') this.change({ text: recordedText(text) });
  }

  /** Called when the announcement leaves the record. */
  forget(): void {
    this.replay.release();
    this.control = undefined;
    this.sound.onChange = undefined;
  }

  /** Reads the text of a message that ended in the queue. `msg.reset` can stop many messages: most have left the record then. */
  private async previewLate(): Promise<void> {
    await nextTurn();
    await this.preview();
    this.control = undefined;
  }

  private change(changes: Partial<RecordedAnnouncement>): void {
    Object.assign(this.announcement, changes);
    this.changed(this);
  }
}
