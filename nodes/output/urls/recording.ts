import { EventEmitter, once } from 'node:events';

/** Audio that a store keeps on disk. Readers can follow it while it is written. */
export class AudioRecording {
  /** Bytes that can be read. */
  bytes = 0;
  state: 'growing' | 'complete' | 'failed' = 'growing';
  /** Readers that use the file now. */
  readers = 0;
  private readonly changes = new EventEmitter().setMaxListeners(0);

  /**
   * @param name the file name in the store
   * @param path the path of the content, which changes when the recording is complete
   */
  constructor(
    readonly name: string,
    public path: string,
  ) {}

  /** Publishes a change to the readers. */
  update(change: Partial<Pick<AudioRecording, 'bytes' | 'state' | 'path'>>): void {
    Object.assign(this, change);
    this.changes.emit('change');
  }

  /** Resolves at the next change. @throws the reason of the signal */
  async changed(signal: AbortSignal): Promise<void> {
    await once(this.changes, 'change', { signal });
  }
}
