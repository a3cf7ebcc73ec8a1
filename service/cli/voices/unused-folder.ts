import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { VoicesSettings } from './settings.js';

/** The file of a data folder that a service has used. */
const DATABASE = 'herald.sqlite';

/**
 * Returns a hint if no service has used the data folder and Node-RED has another one: voices in the wrong folder would
 * never be offered.
 * @param nodeRed the data folder of the service that Node-RED starts by default
 */
export function hintForUnusedFolder(
  { data, voices }: Pick<VoicesSettings, 'data' | 'voices'>,
  nodeRed: string = path.join(os.homedir(), '.node-red', 'herald'),
): string | undefined {
  const isOwnFolder = path.dirname(voices) === data;
  if (!isOwnFolder || existsSync(path.join(data, DATABASE)) || !existsSync(path.join(nodeRed, DATABASE)))
    return undefined;
  return `No service has used the data folder ${data}. For the voices of Node-RED, add --data ${nodeRed}`;
}
