import { z } from 'zod';
import { askControl } from '../accounts/store/control.js';
import { StoreError } from '../kit/store-error.js';

/** The command that prints a link to the console. */
export const CONSOLE_COMMAND = 'console';

const consoleCommand = z.strictObject({ command: z.literal(CONSOLE_COMMAND) });
const consoleReply = z.object({ result: z.object({ console: z.string() }) });

/** Returns whether a value from the control socket is the command for a link to the console. */
export function isConsoleCommand(value: unknown): boolean {
  return consoleCommand.safeParse(value).success;
}

/**
 * Returns a link that signs in to the console, once. Only the owner of the data folder can connect to its control socket.
 * @throws StoreError `failed` if no service uses the folder
 */
export async function askConsoleLink(folder: string): Promise<string> {
  const command: z.input<typeof consoleCommand> = { command: CONSOLE_COMMAND };
  const reply = await askControl(folder, command);
  if (reply !== undefined) return consoleReply.parse(reply).result.console;
  const help = 'start the service, or name its folder with --data';
  throw new StoreError('failed', `no running service uses ${folder}: ${help}`);
}
