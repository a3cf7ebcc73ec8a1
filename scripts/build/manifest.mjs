/** Reads the nodes and the plugins that `package.json` registers with Node-RED. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @param {string} root the checkout
 * @returns {string[]} file names of the nodes without extension, such as `text-to-speech`
 */
export const nodeNames = (root) => Object.values(registered(root).nodes).map(baseName);

/**
 * @param {string} root the checkout
 * @returns {string[]} file names of the plugins of the editor without extension
 */
export const pluginNames = (root) => Object.values(registered(root).plugins).map(baseName);

/** @param {string} file */
const baseName = (file) => path.parse(file).name;

/**
 * @param {string} root
 * @returns {Record<'nodes' | 'plugins', Record<string, string>>}
 */
function registered(root) {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))['node-red'];
}
