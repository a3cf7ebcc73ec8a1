#!/usr/bin/env node
import './process-settings.js';
import { runCommandLine } from './command-line.js';

/** The program `herald-service`. */
async function main(): Promise<void> {
  const { env, stdin, stdout, stderr } = process;
  const code = await runCommandLine(process.argv.slice(2), {
    env,
    folder: process.cwd(),
    stdin,
    stdout,
    stderr,
  });
  if (code !== 0) process.exitCode = code;
}

void main();
