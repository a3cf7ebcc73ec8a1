import type { Cue } from './cues.js';

/** Creates captions in the WebVTT format (W3C). */
export function webVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ start, end, lines }) => {
    const text = lines.map(escaped).join('\n');
    return `${time(start, '.')} --> ${time(end, '.')}\n${text}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

/** Creates captions in the SubRip format (SRT). The format has no escapes: an arrow in a text could pass for a time. */
export function srt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ start, end, lines }, index) => {
    const text = lines.map((line) => line.replaceAll('-->', '→')).join('\n');
    return `${index + 1}\n${time(start, ',')} --> ${time(end, ',')}\n${text}\n`;
  });
  return blocks.join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Formats seconds as `hh:mm:ss.ttt`, with the given decimal separator. */
function time(seconds: number, separator: '.' | ','): string {
  const milliseconds = Math.round(seconds * 1000);
  const units = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1000) % 60];
  const clock = units.map((unit) => String(Math.floor(unit)).padStart(2, '0')).join(':');
  return `${clock}${separator}${String(milliseconds % 1000).padStart(3, '0')}`;
}
