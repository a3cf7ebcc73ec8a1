import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The file of a data folder that a service has used. */
const DATABASE = 'herald.sqlite';
const NODES = '@herald-speech/node-red';

/**
 * Returns the data folder of the commands for voices if the user names none. A voice in another folder than the service's
 * would never be offered. The first of these folders counts (docs/natural-voices.md#data-folder):
 * 1. `herald` in the working directory, if this is a user directory of Node-RED: Node-RED starts the service there.
 * 2. `.herald` in the working directory, if this is a checkout of the repository: `npm start` starts the service there.
 * 3. the default folder of a service without Node-RED, if a service has used it.
 * 4. `~/.node-red/herald`, if Node-RED has Herald's nodes.
 * @param standard the default folder, in the home folder
 */
export function findDataFolder(working: string, standard: string): string {
  const nodeRed = path.join(path.dirname(standard), '.node-red');
  return serviceIn(working) ?? (isUsed(standard) ? undefined : serviceIn(nodeRed)) ?? standard;
}

/** Returns the data folder of the service that Node-RED starts in a folder. */
function serviceIn(folder: string): string | undefined {
  const [ofNodeRed, ofCheckout] = [path.join(folder, 'herald'), path.join(folder, '.herald')];
  if (isUsed(ofNodeRed) || existsSync(path.join(folder, 'node_modules', NODES))) return ofNodeRed;
  return isUsed(ofCheckout) || isCheckout(folder) ? ofCheckout : undefined;
}

const isUsed = (data: string): boolean => existsSync(path.join(data, DATABASE));

/** The repository's root has the package of the nodes. */
function isCheckout(folder: string): boolean {
  try {
    const content: unknown = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return typeof content === 'object' && content !== null && 'name' in content && content.name === NODES;
  } catch {
    return false;
  }
}
