import type { ManagedVoice } from '../../voices/natural/manage/managed-voice.js';
import { languageWithRegion, describeLicence, formatMegabytes, speedText, table } from './format.js';
import type { VoicesCommand } from './voices-command.js';
import type { VoicesOutput, VoicesWork } from './work.js';

/** Lists the voices that can be installed. */
export function printAvailable(command: VoicesCommand, { manager }: VoicesWork): VoicesOutput {
  const voices = manager.available(command);
  const json = { catalogue: manager.date, voices };
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
export function printInstalled(command: VoicesCommand, { manager, folder }: VoicesWork): VoicesOutput {
  const voices = manager.available(command).filter(({ installed }) => installed !== null);
  const complete = new Set(folder.list().map(({ name }) => name));
  const damaged = folder.names().filter((name) => !complete.has(name));
  const warnings = damaged.map((name) => `${name} is damaged: see herald-service voices verify ${name}`);
  const none = `No natural voice is installed in ${folder.folder}.`;
  const text = [voices.length === 0 ? none : tableOf(voices), ...warnings];
  return { json: { folder: folder.folder, voices, damaged }, text: text.join('\n'), hasProblems: false };
}

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
