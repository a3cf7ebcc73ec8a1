/** Reads the nodes that `package.json` registers with Node-RED. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @param {string} root the checkout
 * @returns {string[]} file names of the nodes without extension, such as `text-to-speech`
 */
export function nodeNames(root) {
  /** @type {{'node-red': {nodes: Record<string, string>}}} */
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return Object.values(manifest['node-red'].nodes).map((file) => path.basename(file, '.js'));
}
