import { displayLanguage } from '../../voices/natural/manage/languages.js';
import type { ManagedVoice, ModelCardReply } from '../../voices/natural/manage/managed-voice.js';

/** Formats bytes as megabytes, for example `63 MB`. */
export function formatMegabytes(bytes: number): string {
  const size = bytes / 1e6;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} MB`;
}

/** Returns a language with its region, for example `German (Germany)`. */
export function languageWithRegion({ language, region }: Pick<ManagedVoice, 'language' | 'region'>): string {
  const name = displayLanguage(language);
  return /^[A-Z]{2}$/u.test(region) ? `${name} (${regionNames.of(region) ?? region})` : name;
}

const regionNames = new Intl.DisplayNames('en', { type: 'region' });

/** Describes a licence in one line. */
export function describeLicence({
  licence,
  isNonCommercial,
}: {
  licence: string | null;
  isNonCommercial: boolean | null;
}): string {
  const name = licence ?? 'unknown';
  return isNonCommercial === true ? `${name} (no commercial use)` : name;
}

/** Formats a speed, for example `5.1 x real time`. */
export function speedText(factor: number | null, isLive: boolean | null): string {
  if (factor === null) return 'not measured';
  const speed = `${(1 / factor).toFixed(1)} x real time`;
  return isLive === false ? `${speed}, not for live announcements` : speed;
}

/** Returns the text that a user reads before the consent: facts, licence and model card. */
export function consentText(voice: ManagedVoice, card: ModelCardReply): string {
  const speakers = voice.speakers === 1 ? '' : `, ${voice.speakers} speakers`;
  const licence =
    card.licence === null
      ? 'the model card states no licence. Ask the author before you use the voice for others'
      : describeLicence(card);
  return [
    `${voice.title} (${voice.name})`,
    `  ${languageWithRegion(voice)}, quality ${voice.quality}${speakers}, ${formatMegabytes(card.bytes)}`,
    `  Licence: ${licence}`,
    '',
    ...card.text.split('\n').map((line) => `  | ${line}`.trimEnd()),
    '',
  ].join('\n');
}

/** Formats rows as a table with aligned columns. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
