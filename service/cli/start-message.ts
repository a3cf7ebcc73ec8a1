import path from 'node:path';
import { CONSOLE_COMMAND } from '../console/console-command.js';
import { isLoopbackUrl } from '../kit/loopback.js';
import { CONSOLE_PATH } from '../console/routes.js';
import type { Service } from '../service.js';

/**
 * Returns the lines that users read at the start. Only a terminal gets the key and a link that signs in: other users can read
 * a file or a journal.
 * @param data the data folder
 */
export function startMessage(
  service: Service,
  data: string,
  { isTerminal }: { isTerminal: boolean },
): string[] {
  const file = path.join(data, 'key');
  const key = isTerminal ? `${service.key} (saved in ${file})` : `saved in ${file}`;
  return [
    `Herald service: ${service.url}`,
    `API key: ${key}`,
    `Console: ${consoleText(service, data, isTerminal)}`,
    ...(service.wyomingUrl === undefined ? [] : [`Wyoming: ${service.wyomingUrl}`]),
  ];
}

/** The printed link has no time limit, unlike all others: a user may need it long after the start. */
function consoleText({ url, consoleLink }: Service, data: string, isTerminal: boolean): string {
  if (!isLoopbackUrl(url)) return `${url}${CONSOLE_PATH} (sign in with an API key)`;
  const command = `herald-service ${CONSOLE_COMMAND} --data ${data}`;
  if (!isTerminal) return `${url}${CONSOLE_PATH} (link that signs in: ${command})`;
  return `${consoleLink(Infinity)} (works once; new link: ${command})`;
}
