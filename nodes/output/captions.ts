import type { SpokenChunk } from '@herald-speech/client';

/** Creates captions in WebVTT format (W3C), with one cue per chunk. */
export function captions(chunks: readonly SpokenChunk[]): string {
  const cues = chunks.map(({ text, start, duration }) => {
    const words = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    // A blank line would end the cue.
    return `${time(start)} --> ${time(start + duration)}\n${words.trim().replace(/\s*[\r\n]\s*/g, '\n')}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Formats seconds as `hh:mm:ss.ttt`. */
function time(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const parts = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1000) % 60];
  const clock = parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
  return `${clock}.${String(milliseconds % 1000).padStart(3, '0')}`;
}
