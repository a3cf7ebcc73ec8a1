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

// A reader that ends early, such as `head`, needs no further line.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

void main();
