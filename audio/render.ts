import { type ParsedAudio, parseAudio, type WavFormat, wavHeader } from '@herald-speech/client/audio';
import type { Part, Piece, Rendering, RenderOptions } from './rendering.js';

/**
 * Renders pieces of speech to one output. Resolves when the first piece is there. Bounded memory: pulls a piece when the
 * reader pulls a part.
 * @throws AudioError if a piece is not a complete WAV or MP3 file
 */
export async function render<P extends Piece>(
  pieces: AsyncIterable<P>,
  _options: RenderOptions = {},
): Promise<Rendering<P>> {
  const source = pieces[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done === true) throw new Error('no piece of speech');
  const format = wavFormatOf(parseAudio(first.value.audio));
  return {
    mime: 'audio/wav',
    extension: 'wav',
    sampleRate: format.sampleRate,
    channels: format.channels,
    encoding: format.encoding,
    parts: partsOf(first.value, source),
    header: (dataBytes) => wavHeader(format, dataBytes),
  };
}

async function* partsOf<P extends Piece>(first: P, source: AsyncIterator<P>): AsyncGenerator<Part<P>> {
  let start = 0;
  try {
    for (let piece: P | undefined = first; piece !== undefined; piece = await nextOf(source)) {
      const parsed = parseAudio(piece.audio);
      if (parsed.format !== 'wav') throw new Error('MP3 is not supported yet');
      const { data, seconds } = parsed.wav;
      yield { piece, repetition: 0, data, start, duration: seconds };
      start += seconds;
    }
  } finally {
    await source.return?.();
  }
}

async function nextOf<P>(source: AsyncIterator<P>): Promise<P | undefined> {
  const next = await source.next();
  return next.done === true ? undefined : next.value;
}

function wavFormatOf(parsed: ParsedAudio): WavFormat {
  if (parsed.format !== 'wav') throw new Error('MP3 is not supported yet');
  return parsed.wav.format;
}
