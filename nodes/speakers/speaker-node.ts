import { SpeechError } from '@herald-speech/client';
import type { Place } from '@herald-speech/speakers';
import type { Node, NodeAPI } from 'node-red';
import { say } from '../runtime/messages.js';

/** The saved properties of a new speaker. The secret is a credential. */
export const speakerDefaults = {
  name: '',
  /** The name of a kind, such as `mpd`. */
  kind: '',
  address: '',
  /** The id of the protocol, such as a UDN; '' if it has none. */
  identity: '',
  /** The highest volume in percent; blank for 100. */
  max_volume: '',
  /** Seconds of silence before the first word, 0 to 3; blank for 0. */
  wake_up: '',
};

/** A saved flow is unchecked input. */
export type SavedSpeaker = Partial<Record<keyof typeof speakerDefaults, unknown>>;

/** A password or a token. */
export interface SpeakerCredentials {
  secret?: unknown;
}

/** A loudspeaker that announcements can use. */
export interface Speaker {
  /** The id of its config node. */
  readonly id: string;
  readonly name: string;
  /** The name of its kind, such as `mpd`. The package of the speakers checks it: it loads with the first announcement. */
  readonly kind: string;
  readonly place: Place;
  /** The id of the protocol, by which a speaker with a new address is found again; '' if it has none. */
  readonly identity: string;
  /** Percent. */
  readonly maxVolume: number;
  /** Seconds of silence before the first word. */
  readonly wakeUp: number;
}

/** The config node of a speaker, as other nodes use it. */
export interface SpeakerNode extends Node {
  /** The name in messages: also that of a speaker with invalid settings. */
  readonly speakerName: string;
  /** @throws SpeechError `not-configured` for invalid settings */
  speaker(): Speaker;
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Returns the name of a speaker: of a nameless one its address, or the name of its kind. */
export const speakerNameOf = (id: string, { name, address, kind }: SavedSpeaker): string =>
  text(name) || text(address) || text(kind) || id;

/** The kind whose blank address means the default one. */
const SOUND_CARD = 'computer';
/** The longest wake-up in seconds. */
const MAX_WAKE_UP = 3;

/** Returns the speaker of saved properties. @throws SpeechError `not-configured` */
export function speakerOf(id: string, saved: SavedSpeaker, { secret }: SpeakerCredentials = {}): Speaker {
  const [address, kind] = [text(saved.address), text(saved.kind)];
  const name = speakerNameOf(id, saved);
  const number = (field: 'max_volume' | 'wake_up', fallback: number, max: number): number => {
    const typed = saved[field];
    const value = typeof typed === 'string' ? typed.trim() : typed;
    const given = value === '' || value === undefined || value === null ? fallback : Number(value);
    if (given >= 0 && given <= max) return given;
    throw new SpeechError(
      'not-configured',
      say('speaker-number', { name, field, value: String(value), max }),
    );
  };
  if (kind === '') throw new SpeechError('not-configured', say('speaker-kind', { name }));
  if (address === '' && kind !== SOUND_CARD)
    throw new SpeechError('not-configured', say('speaker-address', { name }));
  return {
    id,
    name,
    kind,
    place: { address, ...(typeof secret === 'string' && secret !== '' && { secret }) },
    identity: text(saved.identity),
    maxVolume: number('max_volume', 100, 100),
    wakeUp: number('wake_up', 0, MAX_WAKE_UP),
  };
}

/** Returns the config nodes of speakers that run. */
export function speakerNodes(RED: NodeAPI): SpeakerNode[] {
  const ids: string[] = [];
  RED.nodes.eachNode(({ id, type }) => {
    if (type === 'herald-speaker') ids.push(id);
  });
  return ids.flatMap((id) => {
    const node: unknown = RED.nodes.getNode(id);
    return isSpeakerNode(node) ? [node] : [];
  });
}

const isSpeakerNode = (node: unknown): node is SpeakerNode =>
  typeof node === 'object' && node !== null && 'speaker' in node;

/** Returns the key of a speaker in the queues of the process. Two config nodes of one speaker share its queue. */
export const speakerKey = ({ kind, identity, place }: Speaker): string =>
  `${kind} ${identity || place.address}`;
