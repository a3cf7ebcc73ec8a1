/**
 * An instance of Node-RED that makes prompts of the run of `spread.bench.mjs`, until its channel closes.
 * Usage: forked with the JSON of the account node.
 */
import { once } from 'node:events';
import process from 'node:process';
import { withNodeRed } from './node-red.mjs';

const [account = '{}'] = process.argv.slice(2);
await withNodeRed([], [JSON.parse(account)], async () => {
  process.send?.('started');
  await once(process, 'disconnect');
});
process.exit();
