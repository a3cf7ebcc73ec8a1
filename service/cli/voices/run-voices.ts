import path from 'node:path';
import { NaturalVoiceError } from '../../voices/installed/errors.js';
import { type NaturalVoicesOptions, openNaturalVoices } from '../../voices/natural/manage/open.js';
import { naturalHint } from '../../kit/packages.js';
import { UsageError } from '../usage-error.js';
import { NativeInstallation } from '../../voices/natural/install/native-runtime.js';
import { installVoices } from './install-voices.js';
import { changeNative } from './native.js';
import { findOneOf } from './find-voice.js';
import { describeLicence, speedText } from './format.js';
import { printAvailable, printInstalled } from './lists.js';
import { COPY, type OutputStream, Terminal } from './terminal.js';
import type { VoicesCommand } from './voices-command.js';
import type { VoicesOutput, VoicesWork } from './work.js';

/**
 * Runs a command for voices. SIGINT and SIGTERM cancel it.
 * @param stderr receives messages and progress
 * @throws UsageError, NaturalVoiceError
 */
export async function runVoices(
  command: VoicesCommand,
  settings: NaturalVoicesOptions,
  stderr: OutputStream,
): Promise<VoicesOutput> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  const terminal = new Terminal(stderr);
  const { mirror: voicesUrl = settings.voicesUrl } = command;
  const { manager, folder } = openNaturalVoices({ ...settings, voicesUrl });
  if (manager.problem !== undefined) terminal.say(manager.problem);
  try {
    const native = new NativeInstallation(settings.data);
    return await run(command, { manager, folder, native, terminal, signal: controller.signal });
  } finally {
    terminal.clear();
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
  }
}

async function run(command: VoicesCommand, work: VoicesWork): Promise<VoicesOutput> {
  switch (command.action) {
    case 'available':
      return printAvailable(command, work);
    case 'list':
      return printInstalled(command, work);
    case 'install':
      return installVoices(command, work);
    case 'measure':
      return measure(command.words, work);
    case 'verify':
      return verify(command.words, work);
    case 'remove':
      return remove(command.words, work);
    case 'export':
      return exportVoices(command.words, work);
    case 'import':
      return importVoices(command.words[0] ?? '', work);
    case 'native':
      return changeNative(command.words, work);
    case 'refresh':
      return refresh(work);
  }
}

const noneIn = (folder: string): string => `No natural voice is installed in ${folder}.`;

/** Returns the names of some installed voices, or of all of them. */
const namesOf = (words: readonly string[], work: VoicesWork): string[] =>
  words.length === 0 ? work.folder.names() : [...new Set(words.map((name) => installedName(name, work)))];

async function measure(words: readonly string[], work: VoicesWork): Promise<VoicesOutput> {
  const { manager, folder, terminal, signal } = work;
  const hint = naturalHint();
  if (hint !== undefined) throw new UsageError(`voices measure: ${hint}`);
  const measured = [];
  for (const name of namesOf(words, work)) {
    const { realTimeFactor, isLive } = await manager.measureAgain(name, {
      signal,
      onProgress: terminal.progress.bind(terminal, name),
    });
    measured.push({ name, realTimeFactor, isLive });
  }
  const lines = measured.map(
    ({ name, ...speed }) => `${name}: ${speedText(speed.realTimeFactor, speed.isLive)}`,
  );
  return { json: { measured }, text: lines.length === 0 ? noneIn(folder.folder) : lines.join('\n') };
}

async function verify(words: readonly string[], work: VoicesWork): Promise<VoicesOutput> {
  const { manager, folder, signal } = work;
  const names = namesOf(words, work);
  const voices = [];
  for (const name of names) voices.push({ name, problems: await manager.verify(name, signal) });
  const lines = voices.map(
    ({ name, problems }) => `${name}: ${problems.length === 0 ? 'in order' : problems.join('; ')}`,
  );
  return {
    json: { voices },
    text: lines.length === 0 ? noneIn(folder.folder) : lines.join('\n'),
    hasProblems: voices.some(({ problems }) => problems.length > 0),
  };
}

async function remove(words: readonly string[], work: VoicesWork): Promise<VoicesOutput> {
  const names = [...new Set(words.map((name) => installedName(name, work)))];
  for (const name of names) await work.manager.remove(name);
  return { json: { removed: names }, text: names.map((name) => `${name} is removed.`).join('\n') };
}

/**
 * Returns the name of an installed voice, which may be damaged, for a name or a short name.
 * @throws NaturalVoiceError `not-found` with the installed voices; UsageError for a short name of several voices
 */
function installedName(text: string, { manager, folder }: VoicesWork): string {
  const names = folder.names();
  const exact = names.find((name) => name.normalize('NFC') === text.normalize('NFC'));
  const known = new Set(names.map((name) => name.normalize('NFC')));
  const voices = manager.available().filter(({ name }) => known.has(name));
  const name = exact ?? findOneOf(text, voices)?.name;
  if (name !== undefined) return name;
  const list =
    names.length === 0 ? `${folder.folder} has no natural voice` : `Installed are ${names.join(', ')}`;
  throw new NaturalVoiceError('not-found', `voice "${text.slice(0, 100)}": not installed. ${list}`);
}

async function exportVoices(words: readonly string[], work: VoicesWork): Promise<VoicesOutput> {
  const names = [...new Set(words.map((name) => installedName(name, work)))];
  const files = names.map((name) => path.resolve(`${name}.tar`));
  for (const [index, name] of names.entries())
    await work.folder.exportTo(name, files[index] ?? '', work.signal);
  const fix = 'On the other computer, run "herald-service voices import FILE".';
  return { json: { files }, text: [...files, fix].join('\n') };
}

async function importVoices(
  from: string,
  { manager, folder, terminal, signal }: VoicesWork,
): Promise<VoicesOutput> {
  let current = from;
  const voices = await manager.importFrom(from, {
    signal,
    onVoice: (name) => (current = name),
    onProgress: (progress) => terminal.progress(current, progress, COPY),
  });
  const imported = voices.map(({ name, record: { licence, isNonCommercial } }) => ({
    name,
    licence,
    isNonCommercial,
  }));
  const lines = imported.map(
    ({ name, ...terms }) => `${name} is installed. Licence: ${describeLicence(terms)}`,
  );
  return { json: { imported }, text: [...lines, `Folder: ${folder.folder}`].join('\n') };
}

async function refresh({ manager, terminal, signal }: VoicesWork): Promise<VoicesOutput> {
  terminal.say('Loading the list of voices');
  const result = await manager.refresh(signal);
  const leftOut =
    result.invalid.length === 0 ? '' : ` Left out, because invalid: ${result.invalid.join(', ')}.`;
  return { json: result, text: `The catalogue has ${result.voices} voices.${leftOut}` };
}
