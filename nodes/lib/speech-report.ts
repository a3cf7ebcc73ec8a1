import { captionOf, cuesOf, srt, webVtt } from '@herald-speech/audio';
import {
  type AccountPiece,
  type FailureCode,
  type Phonemes,
  rounded,
  type Text,
} from '@herald-speech/client';
import { localize, localizeError, type Translator } from '../runtime/localize.js';
import type { RenderedSpeech, PartWithoutAudio } from './announced-speech.js';
import { voiceDetails } from './utterance.js';

/**
 * Returns `msg.speech` of spoken parts: the voice, the properties of the audio, the texts and the charge. All times are
 * seconds of the output.
 * @param duration seconds
 */
export function speechReport(translator: Translator, spoken: RenderedSpeech, duration: number): object {
  const { parts } = spoken;
  const last = parts.at(-1);
  if (last === undefined) return {};
  const once = spokenOnce(parts);
  const cached = once.filter(({ piece }) => piece.cached).length;
  const cues = cuesOf(parts.map(captionOf));
  return {
    ...earlyReport(translator, spoken),
    duration: rounded(duration),
    text: joinedText(once),
    chunks: once.map(({ piece: { text, takeover }, start, duration }) => ({
      text,
      ...(takeover && { account: takeover.account }),
      start: rounded(start),
      duration: rounded(duration),
    })),
    cached: cached === once.length,
    pieces: { cached, count: last.piece.count },
    chargedSeconds: chargedSeconds(once),
    phonemes: phonemesOf(once),
    captions: webVtt(cues),
    srt: srt(cues),
  };
}

/** Returns `msg.speech` of speech that continues: without totals, texts and captions. */
export function earlyReport(translator: Translator, spoken: RenderedSpeech): object {
  const { mime, sampleRate, encoding, warnings, parts } = spoken;
  const once = spokenOnce(parts);
  const last = once.at(-1);
  if (last === undefined) return {};
  return {
    ...voiceDetails((once[0] ?? last).piece.voice),
    format: containers[mime] ?? 'raw',
    mime,
    sampleRate,
    encoding,
    warnings: [...warningsOf(once), ...warnings].map((text) => localize(translator, text)),
    voiceFallback: once.findLast(({ piece }) => piece.voiceFallback !== undefined)?.piece.voiceFallback,
    fallback: fallbackReport(translator, once.findLast(({ piece }) => piece.takeover)?.piece ?? last.piece),
  };
}

/** Returns the warnings about parts. A budget that is used up is one: until it is raised, the fallback speaks. */
export function warningsOf(parts: readonly PartWithoutAudio[]): Text[] {
  const reason = parts.find(({ piece }) => piece.takeover)?.piece.takeover?.reason;
  const budget = reason?.code === 'over-budget' && reason.text !== undefined ? [reason.text] : [];
  return [...budget, ...parts.flatMap(({ piece }) => piece.warningTexts)];
}

/** Returns the parts without their repetitions. */
export const spokenOnce = (parts: readonly PartWithoutAudio[]): readonly PartWithoutAudio[] =>
  parts.filter(({ repetition }) => repetition === parts[0]?.repetition);

/** Returns the seconds until the end of the last part. */
export function secondsOf(parts: readonly PartWithoutAudio[]): number {
  const { start, duration } = parts.at(-1) ?? { start: 0, duration: 0 };
  return rounded(start + duration);
}

/** The container by media type. Raw audio has none. */
const containers: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
};

/** Joins the texts of the pieces, with a space in place of the white space between them. */
function joinedText(parts: readonly PartWithoutAudio[]): string {
  let end = parts[0]?.piece.offset ?? 0;
  const texts = parts.map(({ piece: { text, offset } }) => {
    const space = offset > end ? ' ' : '';
    end = offset + text.length;
    return space + text;
  });
  return texts.join('');
}

/** Returns the sum, or undefined if the service stated no charge for a piece. */
export function chargedSeconds(parts: readonly PartWithoutAudio[]): number | undefined {
  let sum = 0;
  for (const { piece } of parts) {
    if (piece.chargedSeconds === undefined) return undefined;
    sum += piece.chargedSeconds;
  }
  return rounded(sum);
}

/** Joins the phonemes of all parts; their times become times of the output. */
function phonemesOf(parts: readonly PartWithoutAudio[]): Phonemes | undefined {
  const marked = parts.flatMap(({ piece: { phonemes, start: before }, start }) =>
    phonemes === undefined ? [] : [{ phonemes, offset: start - before }],
  );
  if (marked.length === 0) return undefined;
  return {
    symbols: marked.flatMap(({ phonemes }) => phonemes.symbols),
    start_times_seconds: marked.flatMap(({ phonemes, offset }) =>
      phonemes.start_times_seconds.map((start) => rounded(start + offset)),
    ),
    durations_seconds: marked.flatMap(({ phonemes }) => phonemes.durations_seconds),
  };
}

/** The value of `msg.speech.fallback`: the fallback that spoke. */
interface FallbackReport {
  /** The name of the account that spoke: its name, the host of its service, or `local`. */
  account: string;
  voice_id: string;
  /** The index of its first piece, counted from 0. */
  from: number;
  /** The code of the failure of the node's account. */
  code: FailureCode;
  /** The message of that failure. */
  reason: string;
}

/**
 * Returns the report of a piece; undefined if the node's account spoke it. The last piece of a text reports the last account
 * that spoke.
 */
export function fallbackReport(
  translator: Translator,
  { takeover, voice }: Pick<AccountPiece, 'takeover' | 'voice'>,
): FallbackReport | undefined {
  if (takeover === undefined) return undefined;
  const { account, from, reason } = takeover;
  const { code, message } = localizeError(translator, reason);
  return { account, voice_id: voice.voice_id, from, code, reason: message };
}
