import path from 'node:path';
import { type FlowNode, type NodeRed, startNodeRed } from './node-red.js';
import { shared } from '../shared.js';

/** The script of all nodes. */
const NODES = path.resolve(__dirname, '../../../dist/nodes/runtime/nodes.js');

/** Stubs of nodes of other packages, which the examples use. */
const STUBS = path.resolve(__dirname, '../../examples/stubs');

/**
 * Parts of the settings file:
 * The folder of the stubs.
 * A share in the local service, so that it starts once and not with every deploy.
 * A middleware that drops the view settings of an editor, so that the next page starts with the default view, and that
 * serves an empty Mermaid. Every page loads its 3.5 MB, and no text of the nodes has a diagram.
 */
const SCRIPT = `
const { useLocalService } = require(${JSON.stringify(NODES)})['account/local/local-service']();
process.env.HERALD_DATA = require('node:path').join(__dirname, 'herald');
useLocalService(process.env.HERALD_DATA, () => undefined);
module.exports.nodesDir = [${JSON.stringify(STUBS)}];
module.exports.httpAdminMiddleware = (request, response, next) => {
  if (request.method === 'POST' && request.path === '/settings/user') return response.sendStatus(204);
  if (request.path === '/vendor/mermaid/mermaid.min.js')
    return response.type('js').send('window.mermaid = { initialize() {} };');
  return next();
};
`;

const sharedNodeRed = shared(
  // The examples use all nodes.
  () => startNodeRed([], { script: SCRIPT, settings: { nodesExcludes: [] } }),
  (nodeRed) => nodeRed.stop(),
);

/** The Node-RED of this mocha process, as one suite uses it: the log begins with the suite. */
export interface SharedNodeRed extends Omit<NodeRed, 'stop'> {
  /** True if the flows of the latest deploy are equal to the given ones. */
  runs(flows: readonly FlowNode[]): boolean;
  /** Notices that a page deploys flows of its own. */
  forget(): void;
}

/**
 * Deploys flows to the Node-RED of this mocha process before the tests of a suite. Call it inside `describe`.
 * @returns a function that returns the Node-RED, for use in hooks and tests
 */
export function useNodeRed(flows: readonly FlowNode[] = []): () => SharedNodeRed {
  let nodeRed: SharedNodeRed | undefined;
  before(async () => {
    nodeRed = rememberingDeploys(await sharedNodeRed());
    // The credentials of the suite before go with its nodes.
    await nodeRed.deploy([]);
    if (flows.length > 0) await nodeRed.deploy(flows);
  });
  return () => {
    if (nodeRed === undefined)
      throw new Error('Node-RED starts in the hooks of the suite: use it in a test.');
    return nodeRed;
  };
}

function rememberingDeploys({ stop: _stop, ...running }: NodeRed): SharedNodeRed {
  const start = running.log().length;
  let deployed: string | undefined;
  return {
    ...running,
    log: () => running.log().slice(start),
    async deploy(flows) {
      deployed = undefined;
      await running.deploy(flows);
      deployed = JSON.stringify(flows);
    },
    runs: (flows) => JSON.stringify(flows) === deployed,
    forget: () => (deployed = undefined),
  };
}
