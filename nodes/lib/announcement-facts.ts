import path from 'node:path';
import type { OutputFormat } from '@herald-speech/audio';
import type { Text } from '@herald-speech/client';
import type { AnnouncementFacts } from '../runtime/activity/announcement.js';
import type { DeliveredAudio } from '../runtime/activity/replay.js';
import type { Delivered } from '../output/destination.js';
import type { RenderedSpeech, PartWithoutAudio } from './announced-speech.js';
import { chargedSeconds, spokenOnce, warningsOf } from './speech-report.js';

/**
 * Returns the voice by its name, the charge and the fallback of spoken parts, for the record of announcements. The charge of a
 * fallback is not the one of the account.
 * @param isFree true for the local service: its seconds count for its usage report, and cost nothing
 */
export function spokenFacts(parts: readonly PartWithoutAudio[], isFree: boolean): AnnouncementFacts {
  const once = spokenOnce(parts);
  const [first] = once;
  if (first === undefined) return {};
  const { voice, voiceName } = first.piece;
  const { voice_id, language } = voice;
  const own = once.filter(({ piece }) => piece.takeover === undefined);
  const takeover = once.findLast(({ piece }) => piece.takeover)?.piece.takeover;
  const charged = isFree ? 0 : chargedSeconds(own);
  return {
    voice: voiceName ?? voice_id,
    language,
    charged,
    ...(takeover && { fallback: takeover.account }),
    ...(takeover?.reason.code === 'over-budget' && { isOverBudget: true }),
  };
}

/** Number of warnings that the record keeps of one announcement. */
const MAX_WARNINGS = 10;

/**
 * Returns the first warnings about an announcement, each once.
 * @param others the warnings that are not about a part
 */
export function recordedWarnings(parts: readonly PartWithoutAudio[], others: readonly Text[]): Text[] {
  const all = [...others, ...warningsOf(parts)];
  return [...new Map(all.map((text) => [text.english, text])).values()].slice(0, MAX_WARNINGS);
}

/**
 * Returns the audio that a user can replay: the file behind a URL, the written file, or the Buffer.
 * @param folder the folder of the audio with URLs, if Node-RED has one
 */
export function replayOf(
  folder: string | undefined,
  { payload, location: { url, filename }, parts }: Delivered<unknown>,
  { encoding, sampleRate }: Pick<RenderedSpeech, 'encoding' | 'sampleRate'>,
  format: OutputFormat | 'unchanged',
): DeliveredAudio {
  const channels = format === 'unchanged' ? 1 : (format.channels ?? 1);
  const raw = { encoding, sampleRate, channels };
  if (typeof payload !== 'string') return { audio: payload, isPiece: parts !== undefined, raw };
  if (url === undefined || folder === undefined) return { filename, raw };
  return { filename: path.join(folder, path.posix.basename(url)), raw };
}
