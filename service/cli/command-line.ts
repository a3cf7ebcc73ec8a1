import os from 'node:os';
import { Readable } from 'node:stream';
import { isErrno } from '@herald-speech/client/files';
import { administer } from '../accounts/administer.js';
import { toCommand, toOutput } from './admin-command.js';
import { checkNoFlag, type Flags, HELP, readArguments } from './arguments.js';
import { askConsoleLink, CONSOLE_COMMAND } from '../console/console-command.js';
import { missingEngineHint, kanjiHint } from '../voices/engines/engines.js';
import { logAt } from '../kit/log.js';
import { packageVersion } from '../kit/package-version.js';
import { type Service, serviceDefaults, startService } from '../service.js';
import { isMarkCommand, markFlags, runMark } from './mark-command.js';
import { parseListenAddress } from './settings/listen-address.js';
import { READ_COMMAND, runRead } from './read-command.js';
import { readSettings } from './settings/read-settings.js';
import type { ServiceSettings } from './settings/schema.js';
import { startMessage } from './start-message.js';
import { UsageError } from './usage-error.js';
import { findDataFolder } from './voices/data-folder.js';
import type * as runVoicesModule from './voices/run-voices.js';
import type { OutputStream } from './voices/terminal.js';
import {
  isAction,
  isVoicesCommand,
  toVoicesCommand,
  voicesFlags,
  voicesHelp,
} from './voices/voices-command.js';

/** Exit code of a failure, such as a port in use. */
const FAILED = 1;
/** Exit code of an invalid command line, environment variable or settings file. */
const MISUSED = 2;

/** The parts of a process that a command line uses. */
export interface CommandContext {
  env: NodeJS.ProcessEnv;
  /** Working directory. */
  folder: string;
  /** Default: empty. */
  stdin?: NodeJS.ReadableStream;
  stdout: OutputStream;
  stderr: OutputStream;
}

/**
 * Runs a command, or starts the service and returns while it runs. Failures go to the standard error.
 * @param args the words after the name of the program
 * @returns the exit code
 */
export async function runCommandLine(args: readonly string[], surroundings: CommandContext): Promise<number> {
  try {
    return await obey(args, surroundings);
  } catch (error) {
    return report(error, args, surroundings.stderr);
  }
}

async function obey(args: readonly string[], surroundings: CommandContext): Promise<number> {
  const { env, stdout } = surroundings;
  const { values, positionals } = readArguments(args);
  const isForVoices = isVoicesCommand(positionals);
  const print = (text: string) => (stdout.write(text), 0);
  if (values.help) return print(isForVoices ? voicesHelp(positionals) : HELP);
  if (values.version) return print(`${packageVersion()}\n`);
  if (isForVoices) return voices(positionals, values, surroundings);
  if (isMarkCommand(positionals)) return marks(positionals, values, surroundings);
  if (positionals[0] === READ_COMMAND) return reading(positionals, values, surroundings);
  checkNoFlag(values, markFlags);
  const settings = readSettings(values, env);
  checkNoFlag(values, voicesFlags);
  if (positionals.join(' ') === CONSOLE_COMMAND) return print(await consoleLink(values, settings.data));
  if (positionals.length > 0) return print(await command(positionals, values, settings.data));
  checkNoFlag(values);
  return print(
    await serve(values.quiet ? { ...settings, logLevel: 'none' } : settings, values, surroundings),
  );
}

/** Starts the service, and returns its message. */
async function serve(
  settings: ServiceSettings,
  { json, 'watch-stdin': watchStdin }: Flags,
  { stdout, stderr }: CommandContext,
): Promise<string> {
  const { logLevel, speechTimeout, idleTimeout, warmUp, emoji, requestTimeout, ...others } = settings;
  const { wyoming, wyomingAccount, wyomingAnnounce, ...rest } = others;
  const service = await startService({
    ...rest,
    wyoming: wyomingOf({ wyoming, wyomingAccount, wyomingAnnounce }),
    log: logAt(logLevel),
    speech: { timeLimit: speechTimeout, warmUp, emoji, ...(idleTimeout > 0 && { idleTimeout }) },
    timeouts: { request: requestTimeout },
  });
  const fail = (error: unknown) => void (process.exitCode = report(error, [], stderr));
  stopWhenAsked(service, watchStdin, fail);
  return announcement(service, settings.data, { asJson: json, isTerminal: stdout.isTTY === true });
}

type WyomingSettings = Pick<ServiceSettings, 'wyoming' | 'wyomingAccount' | 'wyomingAnnounce'>;

function wyomingOf({ wyoming, wyomingAccount: account, wyomingAnnounce: wish }: WyomingSettings) {
  const place = parseListenAddress(wyoming);
  if (place === undefined) return undefined;
  const announce = wish === 'on' ? `Herald on ${os.hostname()}` : wish;
  return { ...place, account, announce: wish === 'off' ? undefined : announce };
}

async function consoleLink(values: Flags, data: string): Promise<string> {
  checkNoFlag(values);
  const link = await askConsoleLink(data);
  return `${values.json ? JSON.stringify({ console: link }) : link}\n`;
}

async function command(words: string[], values: Flags, data: string): Promise<string> {
  const command = toCommand(words, values);
  const reply = await administer(data, command);
  if ('error' in reply) throw new Error(reply.error.message);
  const { json, text } = toOutput(command, reply.result);
  return `${values.json ? JSON.stringify(json) : text}\n`;
}

async function voices(words: string[], values: Flags, surroundings: CommandContext): Promise<number> {
  const { env, folder, stdout, stderr } = surroundings;
  checkNoFlag(values);
  const settings = readSettings(values, env, () => findDataFolder(folder, serviceDefaults.data));
  const command = toVoicesCommand(words, values);
  const { runVoices }: typeof runVoicesModule = require('./voices/run-voices.js');
  const { json, text, hasProblems } = await runVoices(command, settings, stderr);
  stdout.write(`${values.json ? JSON.stringify(json) : text}\n`);
  return hasProblems === true ? FAILED : 0;
}

async function reading(
  words: string[],
  values: Flags,
  { env, stdin, stdout }: CommandContext,
): Promise<number> {
  const { language, ...others } = values;
  checkNoFlag(others);
  checkNoFlag(others, { ...voicesFlags, ...markFlags });
  const { emoji } = readSettings(others, env);
  await runRead(words, language, { stdin: stdin ?? Readable.from([]), stdout, emoji });
  return 0;
}

async function marks(
  words: string[],
  values: Flags,
  { env, folder, stdout, stderr }: CommandContext,
): Promise<number> {
  checkNoFlag(values);
  checkNoFlag(values, voicesFlags);
  const { data } = readSettings(values, env, () => findDataFolder(folder, serviceDefaults.data));
  const { json, lines, problems, hasProblems } = await runMark(words, values, data);
  for (const line of values.json ? [JSON.stringify(json)] : lines) stdout.write(`${line}\n`);
  for (const problem of problems) stderr.write(`herald-service: ${problem}\n`);
  return hasProblems ? FAILED : 0;
}

interface Announcement {
  asJson: boolean;
  isTerminal: boolean;
}

function announcement(service: Service, data: string, { asJson, isTerminal }: Announcement): string {
  const { url, key, wyomingUrl: wyoming } = service;
  if (asJson) return `${JSON.stringify({ url, key, wyoming })}\n`;
  const lines = startMessage(service, data, { isTerminal });
  lines.push(...[missingEngineHint, kanjiHint].filter((hint) => hint !== undefined));
  return `${lines.join('\n')}\n`;
}

/** Closes the service on the first signal. A second signal ends the process at once, which is the default of Node.js. */
function stopWhenAsked(service: Service, watchStdin: boolean, fail: (error: unknown) => void): void {
  const stop = () => {
    process.stdin.destroy();
    service.close().catch(fail);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (!watchStdin) return;
  process.stdin.once('end', stop).once('error', stop);
  process.stdin.resume();
}

/** Writes the message of a failure. Returns the exit code. */
function report(error: unknown, args: readonly string[], stderr: OutputStream): number {
  stderr.write(`herald-service: ${describe(error, args)}\n`);
  return error instanceof UsageError ? MISUSED : FAILED;
}

function describe(error: unknown, args: readonly string[]): string {
  if (error instanceof UsageError)
    return `${error.message}\nSee ${['herald-service', ...commandWords(args)].join(' ')} --help`;
  if (!(error instanceof Error)) return String(error);
  if (isErrno(error, 'EADDRINUSE'))
    return `the port is in use (${error.message}): choose another with --port`;
  return 'path' in error
    ? `the data folder is not usable (${error.message}): choose another with --data`
    : error.message;
}

/** The words of the command line that have a help. The command line may be invalid. */
function commandWords([first = '', second = '']: readonly string[]): string[] {
  if (!isVoicesCommand([first])) return [];
  return isAction(second) ? [first, second] : [first];
}
