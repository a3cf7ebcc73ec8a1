/** The statuses of the listen nodes in this editor. */
import type { HeardAudio } from '../lib/heard.js';
import { showNodeStatus } from '../lib/node-status.js';
import { listenText } from '../lib/sound.js';

const STATUSES = {
  heard: { fill: 'blue', shape: 'dot', text: 'playing' },
  blocked: { fill: 'yellow', shape: 'ring', text: 'blocked' },
  waits: { fill: 'grey', shape: 'ring', text: 'queued' },
  done: { fill: 'green', shape: 'dot', text: 'done' },
} as const;

type State = HeardAudio['state'];

/** The shown state of each node with audio. */
let shown = new Map<string, State>();

/** Makes the next report show the state of a node also if it is unchanged: the status of a failed message may have replaced it. */
export const showAgain = (node: string): void => void shown.delete(node);

/**
 * Shows the state of the first audio of each node: the nodes of an editor share its loudspeaker.
 * @param done the node whose announcement has just ended
 */
export function showPlayback(all: readonly HeardAudio[], done: string | undefined): void {
  const states = new Map<string, State>();
  for (const { node, state } of all) if (!states.has(node)) states.set(node, state);
  for (const [node, state] of states) if (shown.get(node) !== state) show(node, state);
  for (const node of shown.keys()) if (!states.has(node)) show(node, node === done ? 'done' : undefined);
  shown = states;
}

function show(id: string, state: keyof typeof STATUSES | undefined): void {
  const node = RED.nodes.node(id);
  if (state === undefined) return showNodeStatus(node, {});
  const { text, ...symbol } = STATUSES[state];
  showNodeStatus(node, { ...symbol, text: listenText(text) });
}
