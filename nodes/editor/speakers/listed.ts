/** The speakers of all lists: the config nodes, then the found speakers that have none. */
import { textOf } from '@herald-speech/browser';
import { type FoundRow, hostOfAddress, isSame, knownSpeakers, speakerLabel } from './found.js';
import { type SpeakerTarget, targetOfFound, targetOfSpeaker } from './test-sound.js';
import { speakerSearch } from './search.js';

/** A speaker in a list. `node` is its config node, `found` a speaker without one. */
export type ListedSpeaker = { key: string; name: string; kind: string; place: string } & (
  | { node: EditorNode }
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
  };
}

function listedFound(found: FoundRow): ListedSpeaker {
  const { kind, name, model, address } = found;
  const place = [model, placeOf(kind, address)].filter(Boolean).join(', ');
  return { key: `${kind} ${address}`, name, kind, place, found };
}

/** The name of a sound card for programs tells users nothing. */
const placeOf = (kind: string, address: string): string =>
  kind === 'computer' ? '' : hostOfAddress(address);

/** The names of the kinds in all languages. */
const KINDS: Readonly<Record<string, string>> = {
  cast: 'Google Cast',
  dlna: 'DLNA',
  'home-assistant': 'Home Assistant',
  mopidy: 'Mopidy',
  mpd: 'MPD',
  snapcast: 'Snapcast',
  sonos: 'Sonos',
};

/** Returns the name of a kind. */
export const kindText = (kind: string, texts: Pick<EditorNode, '_'>): string =>
  kind === 'computer' ? texts._('speakers.computer') : (KINDS[kind] ?? kind);

/** Returns the facts of a speaker in one line. */
export const speakerFacts = ({ kind, place }: ListedSpeaker, texts: Pick<EditorNode, '_'>): string =>
  [kindText(kind, texts), place].filter(Boolean).join(' · ');

export const targetOfListed = (listed: ListedSpeaker): SpeakerTarget =>
  'node' in listed ? targetOfSpeaker(listed.node) : targetOfFound(listed.found);
