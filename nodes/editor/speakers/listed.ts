/** The speakers of all lists: the config nodes, then the found speakers that have none. */
import { textOf } from '@herald-speech/browser';
import { type FoundRow, isSame, knownSpeakers, speakerLabel } from './found.js';
import { kindText, placeOf, problemOfSpeaker } from './speaker-values.js';
import { type SpeakerTarget, targetOfFound, targetOfSpeaker } from './test-sound.js';
import { speakerSearch } from './search.js';

/** A speaker in a list. `node` is its config node with the problem of its values, `found` a speaker without one. */
export type ListedSpeaker = { key: string; name: string; kind: string; place: string } & (
  | { node: EditorNode; problem: string | undefined }
  | { found: FoundRow }
);

export function listedSpeakers(): ListedSpeaker[] {
  const known = knownSpeakers();
  const others = speakerSearch.found.filter((found) => !known.some((speaker) => isSame(speaker, found)));
  return [...known.map(listedNode), ...others.map(listedFound)];
}

function listedNode(node: EditorNode): ListedSpeaker {
  const kind = textOf(node['kind']);
  return {
    key: node.id,
    name: speakerLabel(node),
    kind,
    place: placeOf(kind, textOf(node['address'])),
    node,
    problem: problemOfSpeaker(node, node),
  };
}

function listedFound(found: FoundRow): ListedSpeaker {
  const { kind, name, model, address } = found;
  const place = [model, placeOf(kind, address)].filter(Boolean).join(', ');
  return { key: `${kind} ${address}`, name, kind, place, found };
}

/** Returns the facts of a speaker in one line. The name of a nameless one consists of them. */
export function speakerFacts(listed: ListedSpeaker, texts: Pick<EditorNode, '_'>): string {
  if ('node' in listed && textOf(listed.node['name']).trim() === '') return '';
  return [kindText(listed.kind, texts), listed.place].filter(Boolean).join(' · ');
}

export const targetOfListed = (listed: ListedSpeaker): SpeakerTarget =>
  'node' in listed ? targetOfSpeaker(listed.node) : targetOfFound(listed.found);
