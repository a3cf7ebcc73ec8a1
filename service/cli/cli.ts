#!/usr/bin/env node
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { administer } from '../accounts/administer.js';
import { adminFlags, adminHelp, toCommand, toOutput } from './admin-command.js';
import { engineHint, kanjiHint } from '../engines/engines.js';
import { logAt } from '../log.js';
import { type Service, startService } from '../service.js';
import { readSettings, settingFlags, type Settings, settingsHelp } from './settings.js';
import { UsageError } from './usage-error.js';

const HELP = `Usage: herald-service [options]
       herald-service COMMAND [options]

A text-to-speech service on this machine. It prints its address and its key, and speaks until it is stopped.

Settings, by flag, environment variable or settings file:
${settingsHelp}
  --config FILE           a settings file: JSON with port, host, data, logLevel, ... (HERALD_CONFIG)

  --json                  print {"url", "key"}, or what a command gives, as one line of JSON
  --watch-stdin           stop when standard input ends, so that it never outlives the program that started it
  --quiet                 no log on standard error, as --log-level none
  --help                  print this
  --version               print the version

Commands, on the accounts of --data DIR, whether the service is running or not:
${adminHelp}

TIER is free, starter, creator, pro or unlimited. A key is shown when it is made, and never again.
`;

const options = {
  ...settingFlags,
  ...adminFlags,
  config: { type: 'string' },
  json: { type: 'boolean', default: false },
  'watch-stdin': { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** Exit codes: something on this machine is in the way; the command line is wrong. */
const FAILED = 1;
const MISUSED = 2;

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  if (values.help) return void process.stdout.write(HELP);
  if (values.version) return void process.stdout.write(`${readVersion()}\n`);
  const settings = readSettings(values, process.env);
  if (positionals.length > 0) return command(positionals, values, settings.data);
  checkNoFlag(values);
  await serve(values.quiet ? { ...settings, logLevel: 'none' } : settings, values);
}

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Flags = ReturnType<typeof readArguments>['values'];

function checkNoFlag(values: Flags): void {
  const stray = Object.keys(adminFlags).find((flag) => Object.hasOwn(values, flag));
  if (stray !== undefined) throw new UsageError(`--${stray} goes with a command`);
}

async function serve(settings: Settings, { json, 'watch-stdin': watchStdin }: Flags): Promise<void> {
  const { port, host, data, engines, logLevel, speechTimeout, requestTimeout, grace } = settings;
  const service = await startService({
    port,
    host,
    data,
    engines,
    grace,
    log: logAt(logLevel),
    speech: { timeLimit: speechTimeout },
    timeouts: { request: requestTimeout },
  });
  stopWhenAsked(service, watchStdin);
  announce(service, data, json);
}

async function command(words: string[], values: Flags, data: string): Promise<void> {
  const command = toCommand(words, values);
  const reply = await administer(data, command);
  if ('error' in reply) throw new Error(reply.error.message);
  const { json, text } = toOutput(command, reply.result);
  process.stdout.write(`${values.json ? JSON.stringify(json) : text}\n`);
}

function readVersion(): string {
  const description: unknown = require('@herald-speech/local-service/package.json');
  return z.object({ version: z.string() }).parse(description).version;
}

function announce({ url, key }: Service, data: string, asJson: boolean): void {
  const words = [`Herald speaks at ${url}`, `Its key is ${key} (kept in ${path.join(data, 'key')})`];
  words.push(...[engineHint, kanjiHint].filter((hint) => hint !== undefined));
  process.stdout.write(`${asJson ? JSON.stringify({ url, key }) : words.join('\n')}\n`);
}

/** A second signal ends the process at once, as ever. */
function stopWhenAsked(service: Service, watchStdin: boolean): void {
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

function fail(error: unknown): void {
  process.exitCode = error instanceof UsageError ? MISUSED : FAILED;
  process.stderr.write(`herald-service: ${describe(error)}\n`);
}

function describe(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nTry herald-service --help`;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') return `the port is in use: ${error.message}`;
  return 'path' in error ? `the data folder can't be used: ${error.message}` : error.message;
}

main().catch(fail);
