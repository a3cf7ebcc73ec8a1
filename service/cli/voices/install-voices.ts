import type { VoiceLibrary, VoiceTask } from '../../voices/natural/manage/library.js';
import type { ManagedVoice } from '../../voices/natural/manage/managed-voice.js';
import { NaturalVoiceError } from '../../voices/installed/errors.js';
import { naturalHint } from '../../kit/packages.js';
import { UsageError } from '../usage-error.js';
import { findVoice } from './find-voice.js';
import { consentText, describeLicence, formatMegabytes, speedText } from './format.js';
import type { Terminal } from './terminal.js';
import type { VoicesCommand, VoicesOutput } from './voices-command.js';

/** The objects that a command works with. */
export interface VoicesWork {
  library: VoiceLibrary;
  terminal: Terminal;
  signal: AbortSignal;
  /** Does a task of the library with progress on the terminal. Returns the names of the installed voices. */
  run(task: VoiceTask, subject: string): Promise<readonly string[]>;
}

/**
 * Installs voices one after another. Shows each licence and asks for consent, unless the user accepted with `--yes`.
 * @throws UsageError before any network use, if a name is unknown or the program cannot ask
 */
export async function installVoices(command: VoicesCommand, work: VoicesWork): Promise<VoicesOutput> {
  const { language } = command;
  const voices = work.library.available(language === undefined ? {} : { language });
  const wanted = [...new Set(command.words.map((word) => findVoice(word, voices)))];
  if (!command.yes && !work.terminal.canAsk) {
    const fix = 'run the command on a terminal, or add --yes to accept the licences';
    throw new UsageError(`voices install asks for consent to the licence: ${fix}`);
  }
  const hint = naturalHint();
  if (hint !== undefined)
    work.terminal.say(
      `The voices cannot speak yet. ${hint} Then run this command again to measure their speed.`,
    );
  const results: Result[] = [];
  for (const voice of wanted) results.push(await tryToInstall(voice, command.yes, work));
  return outputOf(results, work.library.folder);
}

/** The end of one installation. A voice that the user declined has neither field. */
interface Result {
  name: string;
  installed?: ManagedVoice;
  error?: string;
}

/** Reports a failure and returns it, so that the other voices are installed. @throws NaturalVoiceError `cancelled` */
async function tryToInstall(voice: ManagedVoice, isAccepted: boolean, work: VoicesWork): Promise<Result> {
  const { name } = voice;
  try {
    const installed = await install(voice, isAccepted, work);
    return { name, ...(installed && { installed }) };
  } catch (error) {
    if (!(error instanceof NaturalVoiceError) || error.kind === 'cancelled') throw error;
    work.terminal.say(`herald-service: ${error.message}`);
    return { name, error: error.message };
  }
}

function outputOf(results: readonly Result[], folder: string): VoicesOutput {
  const installed = results.flatMap(({ installed }) => installed ?? []);
  const failed = results.flatMap(({ name, error }) => (error === undefined ? [] : [{ name, error }]));
  const absent = results.filter(({ installed }) => installed === undefined).map(({ name }) => name);
  return {
    json: {
      folder,
      installed,
      failed,
      declined: absent.filter((name) => failed.every((one) => one.name !== name)),
    },
    text: [
      ...installed.map(summaryOf),
      ...absent.map((name) => `${name} is not installed.`),
      `Folder: ${folder}`,
    ].join('\n'),
    hasProblems: absent.length > 0,
  };
}

/** Returns undefined if the user does not accept the licence. An installed voice needs no new consent. */
async function install(
  voice: ManagedVoice,
  isAccepted: boolean,
  work: VoicesWork,
): Promise<ManagedVoice | undefined> {
  const { name } = voice;
  const { library, terminal, signal } = work;
  const card = (await library.isWhole(name, signal)) ? '' : await consent(voice, isAccepted, work);
  if (card === undefined) return undefined;
  await work.run({ kind: 'install', name, card }, name);
  terminal.clear();
  return library.find(name);
}

/** Returns the digest of the accepted model card, or undefined if the user does not accept it. */
async function consent(
  voice: ManagedVoice,
  isAccepted: boolean,
  { library, terminal, signal }: VoicesWork,
): Promise<string | undefined> {
  terminal.say(`${voice.name}: loading the model card`);
  const card = await library.card(voice.name, signal);
  terminal.say(consentText(voice, card));
  const question = `Accept the licence and download ${formatMegabytes(card.bytes)}?`;
  return isAccepted || (await terminal.ask(question, signal)) ? card.sha256 : undefined;
}

function summaryOf(voice: ManagedVoice): string {
  const { realTimeFactor = null, isLive = null, memoryBytes = null, voiceIds = [] } = voice.installed ?? {};
  const memory = memoryBytes === null ? '' : `, memory ${formatMegabytes(memoryBytes)}`;
  const speed = realTimeFactor === null ? '' : ` Speed: ${speedText(realTimeFactor, isLive)}${memory}.`;
  const ids =
    voiceIds.length > 1
      ? `${voiceIds.length} voices, the first is ${voiceIds[0]}`
      : `Voice id: ${voiceIds[0]}`;
  return `${voice.name} is installed. Licence: ${describeLicence(voice)}.${speed} ${ids}.`;
}
