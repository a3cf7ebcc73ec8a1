import type { VoiceLibrary } from '../../voices/natural/manage/library.js';
import {
  displayLanguage,
  displayRegion,
  type ManagedVoice,
  type ModelCardReply,
} from '../../voices/natural/manage/managed-voice.js';
import type { VoicesCommand, VoicesOutput } from './voices-command.js';

/** Formats bytes as megabytes, for example `63 MB`. */
export function formatMegabytes(bytes: number): string {
  const size = bytes / 1e6;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} MB`;
}

/** Returns a language with its region, for example `German (Germany)`. */
function languageWithRegion({ language, region }: Pick<ManagedVoice, 'language' | 'region'>): string {
  const country = displayRegion(region);
  return displayLanguage(language) + (country === undefined ? '' : ` (${country})`);
}

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
function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
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

/** Lists the voices that can be installed. */
export function printAvailable(command: VoicesCommand, library: VoiceLibrary): VoicesOutput {
  const voices = library.available(command);
  const json = { catalogue: library.catalogue.date, voices };
  if (voices.length === 0) {
    const fix = 'Use other words, or load the current list with "herald-service voices refresh"';
    return { json, text: `No voice matches. ${fix}.` };
  }
  const rows = voices.map((voice) => [
    voice.name,
    languageWithRegion(voice),
    voice.quality,
    formatMegabytes(voice.bytes),
    voice.speakers === 1 ? '' : String(voice.speakers),
    voice.licence === null ? '' : describeLicence(voice),
    voice.installed === null ? '' : 'installed',
  ]);
  const head = ['name', 'language', 'quality', 'size', 'speakers', 'licence', ''];
  const hint =
    'A licence that is not listed is shown before the installation: herald-service voices install NAME';
  return { json, text: `${table(head, rows)}\n\n${hint}` };
}

/** Lists the installed voices, and the damaged ones. */
export function printInstalled(command: VoicesCommand, library: VoiceLibrary): VoicesOutput {
  const voices = library.available(command).filter(({ installed }) => installed !== null);
  const complete = new Set(library.list().map(({ name }) => name));
  const damaged = library.names().filter((name) => !complete.has(name));
  const warnings = damaged.map((name) => `${name} is damaged: see herald-service voices verify ${name}`);
  const text = [voices.length === 0 ? noneIn(library) : tableOf(voices), ...warnings];
  return { json: { folder: library.folder, voices, damaged }, text: text.join('\n'), hasProblems: false };
}

export const noneIn = ({ folder }: VoiceLibrary): string => `No natural voice is installed in ${folder}.`;

function tableOf(voices: readonly ManagedVoice[]): string {
  const head = ['name', 'language', 'quality', 'licence', 'speed', 'memory', 'voice ids'];
  return table(head, voices.map(rowOf));
}

function rowOf(voice: ManagedVoice): string[] {
  const { realTimeFactor = null, isLive = null, memoryBytes = null, voiceIds = [] } = voice.installed ?? {};
  const [id = ''] = voiceIds;
  return [
    voice.name,
    languageWithRegion(voice),
    voice.quality,
    describeLicence(voice),
    speedText(realTimeFactor, isLive),
    memoryBytes === null ? '' : formatMegabytes(memoryBytes),
    voiceIds.length > 1 ? `${voiceIds.length}: ${id}, ...` : id,
  ];
}
