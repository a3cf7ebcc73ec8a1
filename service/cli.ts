#!/usr/bin/env node
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { jsonLog, noLog } from './log.js';
import { type Service, serviceDefaults, type ServiceOptions, startService } from './service.js';

const HELP = `Usage: herald-service [options]

A text-to-speech service on this machine. It prints its address and its key, and speaks until it is stopped.

  --port PORT     port to listen on, 0 for any free one   (HERALD_PORT, ${serviceDefaults.port})
  --host HOST     address to listen on                    (HERALD_HOST, ${serviceDefaults.host})
  --data DIR      folder of the key and the own voices    (HERALD_DATA, ~/.herald)
  --json          print {"url", "key"} as one line of JSON
  --watch-stdin   stop when standard input ends, so that it never outlives the program that started it
  --quiet         no log on standard error
  --help          print this
  --version       print the version
`;

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean', default: false },
  'watch-stdin': { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** Exit codes: something on this machine is in the way; the command line is wrong. */
const FAILED = 1;
const MISUSED = 2;

class UsageError extends Error {}

async function main(): Promise<void> {
  const values = readFlags();
  if (values.help) return void process.stdout.write(HELP);
  if (values.version) return void process.stdout.write(`${readVersion()}\n`);
  const options = readOptions(values);
  const service = await startService({ ...options, log: values.quiet ? noLog : jsonLog });
  stopWhenAsked(service, values['watch-stdin']);
  announce(service, options.data, values.json);
}

function readFlags() {
  try {
    return parseArgs({ options: flags, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readOptions(
  values: ReturnType<typeof readFlags>,
): Required<Pick<ServiceOptions, 'port' | 'host' | 'data'>> {
  const { HERALD_PORT, HERALD_HOST, HERALD_DATA } = process.env;
  const port = values.port ?? HERALD_PORT ?? String(serviceDefaults.port);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError(`port is ${JSON.stringify(port)}: expected a number from 0 to 65535`);
  }
  return {
    port: Number(port),
    host: values.host ?? HERALD_HOST ?? serviceDefaults.host,
    data: path.resolve(values.data ?? HERALD_DATA ?? serviceDefaults.data),
  };
}

function readVersion(): string {
  const description: unknown = require('@herald-speech/local-service/package.json');
  return z.object({ version: z.string() }).parse(description).version;
}

function announce({ url, key }: Service, data: string, asJson: boolean): void {
  const text = asJson
    ? JSON.stringify({ url, key })
    : `Herald speaks at ${url}\nIts key is ${key} (kept in ${path.join(data, 'key')})`;
  process.stdout.write(`${text}\n`);
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
