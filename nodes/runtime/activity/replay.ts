import { readFile, stat } from 'node:fs/promises';
import { joinAudio, sniffAudio, wavHeader } from '@herald-speech/client';
import { sharedClips } from '../clips.js';

/** Maximum number of bytes that a browser gets for a replay: about ten minutes of speech. Larger audio is not kept. */
const MAX_BYTES = 64_000_000;

/** The properties of audio without a header. */
interface RawAudio {
  encoding: string;
  /** Hertz. */
  sampleRate: number;
  channels: number;
}

/** Audio as a node delivered it: a file, or a Buffer with the whole speech or one piece of it. */
export type DeliveredAudio = { raw: RawAudio } & (
  | { filename: string | undefined }
  | { audio: Uint8Array; isPiece: boolean }
);

/** A file that browsers play. */
interface PlayableAudio {
  audio: Uint8Array;
  mime: string;
}

/**
 * The audio of an announcement. It refers to a file that the node has written, or to clips in memory. The memory of all clips is
 * limited, so that old audio may be gone.
 */
export class Replay {
  private clips: string[] = [];
  private filename: string | undefined;
  private raw: RawAudio | undefined;

  get exists(): boolean {
    return this.filename !== undefined || this.clips.length > 0;
  }

  /** Adds a piece, or replaces the audio. */
  add(delivered: DeliveredAudio): void {
    this.raw = delivered.raw;
    if ('filename' in delivered) {
      this.filename = delivered.filename;
      return;
    }
    if (!delivered.isPiece) this.release();
    if (delivered.audio.length > MAX_BYTES) return;
    // The browser gets a converted copy, so that the stored clip needs no media type.
    this.clips.push(sharedClips.store({ audio: delivered.audio, mime: '' }));
  }

  release(): void {
    for (const name of this.clips) sharedClips.remove(name);
    this.clips = [];
  }

  /**
   * Reads the audio.
   * @param endedAt milliseconds since 1970. A file that changed later belongs to another announcement.
   * @returns undefined if the audio is gone
   */
  async read(endedAt: number): Promise<PlayableAudio | undefined> {
    const files = this.filename === undefined ? this.stored() : [await unchangedFile(this.filename, endedAt)];
    const present = files.filter((file) => file !== undefined);
    if (present.length === 0 || present.length < files.length) return undefined;
    return playable(present, this.raw);
  }

  private stored(): (Uint8Array | undefined)[] {
    return this.clips.map((name) => sharedClips.find(name)?.audio);
  }
}

async function unchangedFile(filename: string, endedAt: number): Promise<Uint8Array | undefined> {
  try {
    const { mtimeMs, size } = await stat(filename);
    if (Math.floor(mtimeMs) > endedAt || size > MAX_BYTES) return undefined;
    return await readFile(filename);
  } catch {
    return undefined;
  }
}

const mimes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

/** Joins pieces, and adds a header to raw audio. */
function playable(files: readonly Uint8Array[], raw: RawAudio | undefined): PlayableAudio | undefined {
  const [first] = files;
  const format = first && sniffAudio(first);
  if (format !== undefined) {
    const audio = files.length === 1 && first !== undefined ? first : joinAudio(files).audio;
    return { audio, mime: mimes[format] };
  }
  const header = raw && headerOf(raw, files);
  return header && { audio: Buffer.concat([header, ...files]), mime: mimes.wav };
}

function headerOf({ encoding, sampleRate, channels }: RawAudio, files: readonly Uint8Array[]) {
  const bytes = files.reduce((sum, { length }) => sum + length, 0);
  if (encoding === 'pcm') return wavHeader({ encoding, sampleRate, channels, bitsPerSample: 16 }, bytes);
  if (encoding !== 'mulaw' && encoding !== 'alaw') return undefined;
  return wavHeader({ encoding, sampleRate, channels, bitsPerSample: 8 }, bytes);
}
