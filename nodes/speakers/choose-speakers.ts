import { SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { say } from '../runtime/messages.js';
import { type Speaker, type SpeakerNode, speakerNodes } from './speaker-node.js';

/**
 * Returns the speakers with these names or ids, each once. A text may have several, with commas between them. Without a choice, returns
 * the only speaker.
 * @throws SpeechError `not-configured` without a choice among several, `bad-request` for an unknown name
 */
export function chooseSpeakers(RED: NodeAPI, names: readonly string[] = []): Speaker[] {
  const nodes = speakerNodes(RED);
  const known = nodes.map(({ speakerName }) => `"${speakerName}"`).join(', ');
  if (nodes.length === 0) throw new SpeechError('not-configured', say('speaker-none'));
  if (names.length > 0)
    return [...new Set(names.flatMap((name) => namedIn(nodes, name, known)))].map(speakerIn);
  if (nodes.length > 1) throw new SpeechError('not-configured', say('speaker-choose', { names: known }));
  return nodes.map(speakerIn);
}

const speakerIn = (node: SpeakerNode): Speaker => node.speaker();

function namedIn(nodes: readonly SpeakerNode[], name: string, known: string): SpeakerNode[] {
  const whole = find(nodes, name);
  if (whole !== undefined) return [whole];
  return name.split(',').map((part) => {
    const found = find(nodes, part.trim());
    if (found !== undefined) return found;
    throw new SpeechError('bad-request', say('speaker-unknown', { value: `"${part.trim()}"`, names: known }));
  });
}

const find = (nodes: readonly SpeakerNode[], name: string): SpeakerNode | undefined =>
  nodes.find(({ id }) => id === name) ??
  nodes.find(({ speakerName }) => speakerName.toLowerCase() === name.toLowerCase());
