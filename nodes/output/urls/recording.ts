import { EventEmitter, once } from 'node:events';
import type { AnnouncedSound } from '../../runtime/activity/sounds.js';

/** Milliseconds after a stop in which players try again to read the audio. */
const RETRIES_MS = 10_000;

/** The playback of a recording by its players. */
type Playback =
  | { is: 'allowed' }
  /** A user, `msg.reset` or an interrupt has stopped it. A new playback can start at a time (`performance.now()` milliseconds). */
  | { is: 'stopped'; until: number };

/** Audio that a store keeps on disk. Readers can follow it while it is written. */
export class AudioRecording {
  /** Bytes that can be read. */
  bytes = 0;
  state: 'growing' | 'complete' | 'failed' = 'growing';
  /** Whether a player has begun to read the file. */
  isFetched = false;
  private playback: Playback = { is: 'allowed' };
  /** Ends the replies that read the file now. */
  private readonly readers = new Set<() => void>();
  private readonly changes = new EventEmitter().setMaxListeners(0);

  /**
   * @param name the file name in the store
   * @param path the path of the content, which changes when the recording is complete
   * @param sound the sound of its announcement. Undefined for audio of an earlier process
   */
  constructor(
    readonly name: string,
    public path: string,
    private readonly sound?: AnnouncedSound,
  ) {
    sound?.onStop(() => this.stop());
  }

  /** Whether a reply reads the file. */
  get isRead(): boolean {
    return this.readers.size > 0;
  }

  /** Publishes a change to the readers. */
  update(change: Partial<Pick<AudioRecording, 'bytes' | 'state' | 'path'>>): void {
    Object.assign(this, change);
    this.changes.emit('change');
  }

  /** Resolves at the next change. @throws the reason of the signal */
  async changed(signal: AbortSignal): Promise<void> {
    await once(this.changes, 'change', { signal });
  }

  /**
   * Counts a reply until the returned function is called. Returns undefined if the request continues a stopped playback. A request
   * for the start begins a new playback, but not at once: some players try again after a lost connection.
   * @param end ends the reply with an error
   */
  read(range: string | undefined, end: () => void): (() => void) | undefined {
    if (this.playback.is === 'stopped') {
      const isStart = range === undefined || range.startsWith('bytes=0-');
      if (!isStart || performance.now() < this.playback.until) return undefined;
      this.playback = { is: 'allowed' };
    }
    this.isFetched = true;
    return this.use(end);
  }

  /** Keeps the file while a speaker plays it. Returns a function that ends the use. */
  hold(): () => void {
    return this.use(() => {});
  }

  private use(end: () => void): () => void {
    this.readers.add(end);
    this.sound?.countStream(1);
    return () => {
      if (this.readers.delete(end)) this.sound?.countStream(-1);
    };
  }

  private stop(): void {
    const until = this.isRead ? performance.now() + RETRIES_MS : 0;
    const former = this.playback.is === 'stopped' ? this.playback.until : 0;
    this.playback = { is: 'stopped', until: Math.max(former, until) };
    for (const end of this.readers) end();
  }
}
