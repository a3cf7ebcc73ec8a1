import { rounded, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI } from 'node-red';
import { say } from '../../runtime/messages.js';
import type { SoundTest } from './sound-tests.js';

/**
 * Sends a test sound on the first output of a deployed text to speech node, like the URL of a speech.
 * @throws SpeechError `not-configured` if the node is not deployed, or its first output has no wire
 */
export function sendThroughFlow(RED: NodeAPI, id: string, { url, mime, duration, text }: SoundTest): void {
  const node: Node | null = RED.nodes.getNode(id);
  if (node === null || node.type !== 'herald-text-to-speech')
    throw new SpeechError('not-configured', say('reach-not-deployed'));
  if (!isWired(node)) throw new SpeechError('not-configured', say('reach-no-wire'));
  const speech = { url, mime, duration: rounded(duration), text, test: true };
  node.send([{ _msgid: RED.util.generateId(), payload: url, speech }]);
}

/** Whether the first output has a wire. Node-RED keeps the wires in a property that its types leave out. */
function isWired(node: object): boolean {
  const wires: unknown = 'wires' in node ? node.wires : undefined;
  const [first]: unknown[] = Array.isArray(wires) ? wires : [];
  return Array.isArray(first) && first.length > 0;
}
