import path from 'node:path';
import { naturalHint } from '../../kit/packages.js';
import { NaturalVoiceError } from '../../voices/installed/errors.js';
import type { InstallProgress } from '../../voices/natural/install/install-control.js';
import { obstacleTexts } from '../../voices/natural/install/native-obstacle.js';
import type { NativeState } from '../../voices/natural/install/native-runtime.js';
import { type NaturalVoicesOptions, VoiceLibrary } from '../../voices/natural/manage/library.js';
import { UsageError } from '../usage-error.js';
import { findOneOf } from './find-voice.js';
import {
  describeLicence,
  formatMegabytes,
  noneIn,
  printAvailable,
  printInstalled,
  speedText,
} from './format.js';
import { installVoices, type VoicesWork } from './install-voices.js';
import { COPY, DOWNLOAD, type OutputStream, Terminal } from './terminal.js';
import type { VoicesCommand, VoicesOutput } from './voices-command.js';

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
  const library = new VoiceLibrary({ ...settings, voicesUrl });
  const { problem } = library.catalogue;
  if (problem !== undefined) terminal.say(problem);
  const { signal } = controller;
  const runTask: VoicesWork['run'] = (task, subject) => {
    const words = task.kind === 'import' ? COPY : DOWNLOAD;
    const onProgress = (one: InstallProgress) => terminal.progress(one.voice ?? subject, one, words);
    return library.run(task, { signal, onProgress });
  };
  try {
    return await run(command, { library, terminal, signal, run: runTask });
  } finally {
    terminal.clear();
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
  }
}

async function run(command: VoicesCommand, work: VoicesWork): Promise<VoicesOutput> {
  switch (command.action) {
    case 'available':
      return printAvailable(command, work.library);
    case 'list':
      return printInstalled(command, work.library);
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

/** Returns the names of some installed voices, or of all of them. */
const namesOf = (words: readonly string[], work: VoicesWork): string[] =>
  words.length === 0 ? work.library.names() : [...new Set(words.map((name) => installedName(name, work)))];

/** Returns the result of a command for several voices, with one line for each. */
const listed = (json: object, lines: readonly string[], { library }: VoicesWork): VoicesOutput => ({
  json,
  text: lines.length === 0 ? noneIn(library) : lines.join('\n'),
});

async function measure(words: readonly string[], work: VoicesWork): Promise<VoicesOutput> {
  const hint = naturalHint();
  if (hint !== undefined) throw new UsageError(`voices measure: ${hint}`);
  const measured = [];
  for (const name of namesOf(words, work)) {
    await work.run({ kind: 'measure', name }, name);
    const { realTimeFactor = null, isLive = null } = work.library.find(name)?.installed ?? {};
    measured.push({ name, realTimeFactor, isLive });
  }
  const lines = measured.map(
    ({ name, realTimeFactor, isLive }) => `${name}: ${speedText(realTimeFactor, isLive)}`,
  );
  return listed({ measured }, lines, work);
}

async function verify(words: readonly string[], work: VoicesWork): Promise<VoicesOutput> {
  const { library, signal } = work;
  const voices = [];
  for (const name of namesOf(words, work))
    voices.push({ name, problems: await library.verify(name, signal) });
  const lines = voices.map(
    ({ name, problems }) => `${name}: ${problems.length === 0 ? 'in order' : problems.join('; ')}`,
  );
  const hasProblems = voices.some(({ problems }) => problems.length > 0);
  return { ...listed({ voices }, lines, work), hasProblems };
}

async function remove(words: readonly string[], work: VoicesWork): Promise<VoicesOutput> {
  const names = namesOf(words, work);
  for (const name of names) await work.run({ kind: 'remove', name }, name);
  return { json: { removed: names }, text: names.map((name) => `${name} is removed.`).join('\n') };
}

/**
 * Returns the name of an installed voice, which may be damaged, for a name or a short name.
 * @throws NaturalVoiceError `not-found` with the installed voices; UsageError for a short name of several voices
 */
function installedName(text: string, { library }: VoicesWork): string {
  const names = library.names();
  const exact = names.find((name) => name.normalize('NFC') === text.normalize('NFC'));
  const known = new Set(names.map((name) => name.normalize('NFC')));
  const voices = library.available().filter(({ name }) => known.has(name));
  const name = exact ?? findOneOf(text, voices)?.name;
  if (name !== undefined) return name;
  const list =
    names.length === 0 ? `${library.folder} has no natural voice` : `Installed are ${names.join(', ')}`;
  throw new NaturalVoiceError('not-found', `voice "${text.slice(0, 100)}": not installed. ${list}`);
}

async function exportVoices(words: readonly string[], work: VoicesWork): Promise<VoicesOutput> {
  const files = [];
  for (const name of namesOf(words, work)) {
    const file = path.resolve(`${name}.tar`);
    await work.library.exportTo(name, file, work.signal);
    files.push(file);
  }
  const fix = 'On the other computer, run "herald-service voices import FILE".';
  return { json: { files }, text: [...files, fix].join('\n') };
}

async function importVoices(from: string, work: VoicesWork): Promise<VoicesOutput> {
  const { library } = work;
  const names = await work.run({ kind: 'import', from }, from);
  const imported = names.map((name) => {
    const { licence = null, isNonCommercial = null } = library.find(name) ?? {};
    return { name, licence, isNonCommercial };
  });
  const lines = imported.map((voice) => `${voice.name} is installed. Licence: ${describeLicence(voice)}`);
  return { json: { imported }, text: [...lines, `Folder: ${library.folder}`].join('\n') };
}

/**
 * Shows, installs or removes the native runtime.
 * @param words `install`, `install FILE`, `remove` or none
 */
async function changeNative(words: readonly string[], work: VoicesWork): Promise<VoicesOutput> {
  const [change, place] = words;
  const isChange = change === 'install' || (change === 'remove' && place === undefined);
  if (isChange) {
    const file = place === undefined ? {} : { file: path.resolve(place) };
    await work.run({ kind: 'native', change, ...file }, 'onnxruntime-node');
  } else if (change !== undefined) {
    const rule = 'expected install, install FILE, remove or no argument';
    throw new UsageError(`voices native ${words.join(' ')}: ${rule}`);
  }
  work.terminal.clear();
  const { native } = work.library;
  const state = await native.state();
  return { json: { folder: native.folder, ...state }, text: nativeText(state, native.folder) };
}

function nativeText(
  { isInstalled, isOutdated, bytes, downloadBytes, version, obstacle }: NativeState,
  folder: string,
): string {
  if (isInstalled)
    return `The native runtime ${version} is installed (${formatMegabytes(bytes)}). Voices are about three times faster.\nFolder: ${folder}`;
  const size = `${formatMegabytes(bytes)} on this system, ${formatMegabytes(downloadBytes)} to download`;
  const install = `(${size}): herald-service voices native install`;
  if (isOutdated) {
    const fix = obstacle === null ? `Update it ${install}` : 'Remove it: herald-service voices native remove';
    return `The installed native runtime was made for another version of Herald, so voices run with WebAssembly. ${fix}`;
  }
  if (obstacle !== null) return `The native runtime is not installed: ${obstacleTexts[obstacle]}.`;
  return `The native runtime is not installed. It makes voices about three times faster ${install}`;
}

async function refresh({ library, terminal, signal }: VoicesWork): Promise<VoicesOutput> {
  terminal.say('Loading the list of voices');
  const result = await library.refresh(signal);
  const leftOut =
    result.invalid.length === 0 ? '' : ` Left out, because invalid: ${result.invalid.join(', ')}.`;
  return { json: result, text: `The catalogue has ${result.voices} voices.${leftOut}` };
}
