import { Readable } from 'node:stream';
import { runCommandLine } from '../../service/cli/command-line.js';

export interface Ended {
  stdout: string;
  stderr: string;
  code: number;
}

/** Runs a command of `herald-service` in this process, without a terminal. It must not start the service. */
export async function runCommand(
  args: readonly string[],
  {
    env = process.env,
    folder = process.cwd(),
    input = '',
  }: { env?: NodeJS.ProcessEnv; folder?: string; input?: string } = {},
): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  const streamOf = (name: keyof typeof output) => ({
    write: (text: string) => ((output[name] += text), true),
  });
  const stdin = Readable.from([input]);
  const surroundings = { env, folder, stdin, stdout: streamOf('stdout'), stderr: streamOf('stderr') };
  const code = await runCommandLine(args, surroundings);
  return { ...output, code };
}
