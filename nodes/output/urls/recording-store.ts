import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { PRIVATE_FILE } from '@herald-speech/client';
import { FileWriter } from '../files/file-writer.js';
import { checkWritable } from '../files/files.js';
import { makeOwnFolder } from '../files/own-folder.js';
import type { AnnouncedSound } from '../../runtime/activity/sounds.js';
import { AudioRecording } from './recording.js';
import { hasEnded } from '../files/temporary-files.js';

/** Maximum size of all files in bytes: about three hours of 16-bit audio at 22,050 hertz. */
const MAX_BYTES = 512_000_000;

/** Bytes of a random file name. A URL with 160 random bits cannot be guessed. */
const NAME_BYTES = 20;
const COMPLETE = /^[0-9a-f]{40}\.[a-z0-9]{1,8}$/;
/** The name of an unfinished file ends with the process that writes it. */
const UNFINISHED = /^[0-9a-f]{40}\.[a-z0-9]{1,8}\.(\d+)\.part$/;

const stores = new Map<string, RecordingStore>();

/** Returns the store of a folder. All nodes of the process share it. */
export function recordingStore(folder: string): RecordingStore {
  const store = stores.get(folder) ?? new RecordingStore(folder);
  stores.set(folder, store);
  return store;
}

/**
 * Keeps audio files in a folder, up to a maximum size. The oldest files leave first. Files that are read or written stay, and
 * so does the newest. The store never deletes a file that it did not create.
 */
export class RecordingStore {
  /** The recordings by name, the oldest first. */
  private readonly recordings = new Map<string, AudioRecording>();
  private bytes = 0;
  private opened: Promise<void> | undefined;

  constructor(
    private readonly folder: string,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /**
   * Creates the folder if needed, and checks that it accepts files.
   * @throws SpeechError `bad-request`, or `timed-out` if the file system does not answer
   */
  async check(signal: AbortSignal): Promise<void> {
    await makeOwnFolder(this.folder, signal);
    await checkWritable({ file: path.join(this.folder, this.newName('part')) }, signal);
    await this.open();
  }

  /**
   * Starts a recording.
   * @param sound a stop of this sound ends the replies
   * @throws SpeechError as `FileWriter`
   */
  async record(extension: string, signal: AbortSignal, sound?: AnnouncedSound): Promise<Recorder> {
    const name = this.newName(extension);
    const file = path.join(this.folder, name);
    const nameOf = (target: string) => `${target}.${process.pid}.part`;
    const writer = new FileWriter({ file }, signal, { nameOf, durable: false, mode: PRIVATE_FILE });
    try {
      const recording = new AudioRecording(name, await writer.open(), sound);
      this.recordings.set(name, recording);
      return new Recorder(recording, writer, (bytes) => this.grow(recording, bytes), file);
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  /** Returns the recording with a name, or undefined. Reads the folder first if no other call has. */
  async find(name: string): Promise<AudioRecording | undefined> {
    if (!COMPLETE.test(name)) return undefined;
    await this.open();
    return this.recordings.get(name);
  }

  /** Removes a recording whose file is gone. */
  forget(recording: AudioRecording): void {
    if (this.recordings.delete(recording.name)) this.bytes -= recording.bytes;
  }

  /** Removes the oldest recordings above the maximum size. */
  async shrink(): Promise<void> {
    const newest = [...this.recordings.keys()].at(-1);
    for (const recording of this.recordings.values()) {
      if (this.bytes <= this.maxBytes) return;
      const { name, state } = recording;
      if (recording.isRead || state === 'growing' || name === newest) continue;
      this.forget(recording);
      await rm(recording.path, { force: true }).catch(() => undefined);
    }
  }

  private newName(extension: string): string {
    return `${randomBytes(NAME_BYTES).toString('hex')}.${extension}`;
  }

  private async grow(recording: AudioRecording, bytes: number): Promise<void> {
    this.bytes += bytes;
    if (recording.state === 'failed') this.recordings.delete(recording.name);
    await this.shrink();
  }

  private open(): Promise<void> {
    this.opened ??= this.scan().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  /** Finds the files of earlier processes, and removes the unfinished ones. */
  private async scan(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    const found = await Promise.all(names.map((name) => this.inspect(name)));
    const newer = [...this.recordings];
    this.recordings.clear();
    for (const { recording } of found.filter((file) => file !== undefined).sort((a, b) => a.time - b.time)) {
      this.recordings.set(recording.name, recording);
      this.bytes += recording.bytes;
    }
    for (const [name, recording] of newer) this.recordings.set(name, recording);
    await this.shrink();
  }

  private async inspect(name: string): Promise<{ recording: AudioRecording; time: number } | undefined> {
    const file = path.join(this.folder, name);
    const [, writer] = UNFINISHED.exec(name) ?? [];
    if (writer !== undefined && this.isAbandoned(name, Number(writer))) await rm(file, { force: true });
    const stats = COMPLETE.test(name) ? await lstat(file).catch(() => undefined) : undefined;
    if (stats?.isFile() !== true) return undefined;
    const recording = new AudioRecording(name, file);
    recording.update({ bytes: stats.size, state: 'complete' });
    return { recording, time: stats.mtimeMs };
  }

  /** Whether an unfinished file belongs to an earlier process. */
  private isAbandoned(name: string, writer: number): boolean {
    if (writer !== process.pid) return hasEnded(writer);
    return ![...this.recordings.values()].some((recording) => path.basename(recording.path) === name);
  }
}

/** Writes one recording. */
class Recorder {
  readonly name: string;

  constructor(
    private readonly recording: AudioRecording,
    private readonly writer: FileWriter,
    private readonly grow: (bytes: number) => Promise<void>,
    private readonly file: string,
  ) {
    this.name = recording.name;
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.writer.bytes;
  }

  async append(data: Uint8Array): Promise<void> {
    await this.writer.append(data);
    this.recording.update({ bytes: this.writer.bytes });
    await this.grow(data.length);
  }

  /** Completes the recording with its final header. */
  async finish(header: Uint8Array): Promise<void> {
    await this.writer.finish(header);
    this.recording.update({ path: this.file, state: 'complete' });
  }

  /** Removes the recording, and ends its readers with an error. */
  async fail(): Promise<void> {
    await this.writer.discard();
    this.recording.update({ state: 'failed' });
    await this.grow(-this.recording.bytes);
  }
}
