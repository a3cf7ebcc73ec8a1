import type { Text } from '@herald-speech/client';
import type { AnnouncedSound } from '../../runtime/activity/sounds.js';
import type { RecordingStore } from './recording-store.js';
import { headerOf, type RenderedAudio, trailerOf } from '../rendered-audio.js';
import type { CountedPiece } from '../to-pieces.js';

/** The store that serves the audio, and the start of its URLs. */
export interface UrlTarget {
  store: RecordingStore;
  /** The URL of the store, without a slash at the end. */
  base: string;
  /** The reasons for which players cannot reach the URL. */
  warnings: readonly Text[];
}

/** The place of a recording, and the sound that it belongs to. */
interface Publication extends Omit<UrlTarget, 'warnings'> {
  sound?: AnnouncedSound | undefined;
}

/**
 * Records audio in the store, and yields its URL: with the first of several pieces, or when the audio is complete.
 * @throws SpeechError as `FileWriter`, or the error of the rendering; the recording is then removed
 */
export async function* publish<Piece extends CountedPiece>(
  rendering: RenderedAudio<Piece>,
  { store, base, sound }: Publication,
  when: 'first' | 'complete',
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const recorder = await store.record(rendering.extension, signal, sound);
  const url = `${base}/${recorder.name}`;
  let isPublished = false;
  let isComplete = false;
  try {
    const header = headerOf(rendering, undefined);
    await recorder.append(header);
    for await (const { data, piece } of rendering.parts) {
      await recorder.append(data);
      // The URL of a single piece can wait for its length.
      if (when === 'complete' || isPublished || piece.count === 1) continue;
      isPublished = true;
      yield url;
    }
    const bytes = recorder.bytes - header.length;
    await recorder.append(trailerOf(rendering, bytes));
    await recorder.finish(headerOf(rendering, bytes));
    isComplete = true;
  } finally {
    if (!isComplete) await recorder.fail();
  }
  if (!isPublished) yield url;
}
