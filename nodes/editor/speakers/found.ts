/** Speakers in the editor: the config nodes, and the speakers that the search has found. */
import { type Fields, listWith, shapeOf, textOf } from '@herald-speech/browser';
import { addConfigNode, configNodesOf } from '../lib/config-nodes.js';

export const SPEAKER = 'herald-speaker';

/** The kinds that play a sound without a request for its URL: Node-RED sends them the samples. */
const STREAMED: readonly string[] = ['computer', 'snapcast'];

const foundRow = shapeOf({
  kind: textOf,
  name: textOf,
  /** '' if the speaker reports none. */
  model: textOf,
  address: textOf,
  /** The identity that the protocol knows; '' without one. */
  id: textOf,
});

/** A speaker that the search has found. */
export type FoundRow = ReturnType<typeof foundRow>;

export const foundIn = (reply: Fields): FoundRow[] => listWith(foundRow)(reply['speakers']);

/** Returns the speakers of the editor by name, deployed or not. */
export const knownSpeakers = (): EditorNode[] =>
  configNodesOf(SPEAKER).sort((one, other) =>
    speakerLabel(one).localeCompare(speakerLabel(other), RED.i18n.lang()),
  );

export const speakerLabel = (speaker: EditorNode): string => RED.utils.getNodeLabel(speaker, speaker.id);

/** Whether a config node is a found speaker: by identity if both have one, else by address. */
export function isSame(speaker: EditorNode, { kind, id, address }: FoundRow): boolean {
  if (textOf(speaker['kind']) !== kind) return false;
  const known = textOf(speaker['identity']);
  return known !== '' && id !== '' ? known === id : textOf(speaker['address']) === address;
}

/** Makes the config node of a found speaker. */
export function addSpeaker({ kind, name, address, id: identity }: FoundRow): EditorNode {
  return addConfigNode(SPEAKER, { name: freeName(name), kind, address, identity });
}

/** Messages name speakers, so each has a name of its own. */
function freeName(name: string): string {
  const taken = new Set(knownSpeakers().map((speaker) => textOf(speaker['name'])));
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(free)) return free;
  }
}

/** Whether a speaker fetches the audio from a URL of Node-RED. */
export const isNetworked = (kind: string): boolean => !STREAMED.includes(kind);
