import type { NodeAPI } from 'node-red';
import { isLoopback } from './addresses.js';
import { listenerOf } from './listener.js';

/** Nodes that pass messages on. */
const PASSING: readonly unknown[] = ['junction', 'change', 'switch', 'function', 'delay', 'rbe'];
/** Nodes that need no URL which a player reaches: open editors play the audio of listen nodes. */
const WITHOUT_PLAYER: readonly unknown[] = ['herald-listen', 'debug'];

/**
 * Whether only open editors play the audio of a node, and all of them run on this computer: Node-RED accepts no other one. Each
 * address of this computer then works.
 */
export const playsHereOnly = (RED: NodeAPI, node: object): boolean =>
  isLoopback(listenerOf(RED).host) && isForEditors(RED, node);

/** Whether the messages of the first output reach a listen node, and no node that could pass a URL to a player. */
function isForEditors({ nodes }: NodeAPI, node: object): boolean {
  const seen = new Set<string>();
  const reached = idsBehind(node).slice(0, 1).flat();
  let hasListen = false;
  // The loop also visits the ids that it adds.
  for (const id of reached) {
    const next: unknown = seen.has(id) ? null : nodes.getNode(id);
    seen.add(id);
    // A wire to a disabled node.
    if (typeof next !== 'object' || next === null) continue;
    const type = 'type' in next ? next.type : undefined;
    if (PASSING.includes(type)) reached.push(...idsBehind(next).flat());
    else if (!WITHOUT_PLAYER.includes(type)) return false;
    hasListen ||= type === 'herald-listen';
  }
  return hasListen;
}

/** Returns the ids behind each output. Node-RED stores the wires on the node, but does not declare them in its types. */
function idsBehind(node: object): string[][] {
  const wires: unknown = 'wires' in node ? node.wires : undefined;
  const outputs: unknown[] = Array.isArray(wires) ? wires : [];
  return outputs.map((ids) => (Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []));
}
