/** The values of a speaker: its name for people, and the problems of the saved values. The runtime has the same rules for problems. */
import { textOf } from '@herald-speech/browser';
import { isEnvironmentVariable } from '../lib/typed-text.js';
import { addressFault, SOUND_CARD } from './speaker-address.js';

/** The localized texts of the speaker. */
interface Texts {
  _(key: string, values?: object): string;
}
type Values = Readonly<Record<string, unknown>>;

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
export const kindText = (kind: string, texts: Texts): string =>
  kind === SOUND_CARD ? texts._('speakers.computer') : (KINDS[kind] ?? kind);

/** Returns the host of an address; '' for a sound card, whose name for programs tells users nothing. */
export const placeOf = (kind: string, address: string): string =>
  kind === SOUND_CARD ? '' : hostOfAddress(address);

/** Returns the host of an address such as `http://192.168.1.7:1400/description.xml` or `192.168.1.7:6600`. */
function hostOfAddress(address: string): string {
  if (URL.canParse(address) && address.includes('//')) return new URL(address).hostname;
  return /^(?:\[[^\]]*\]|[^:/]*)/.exec(address)?.[0] ?? '';
}

/** The kinds with several speakers at one host. Their addresses end with the id of a group or of an entity. */
const SHARED_HOST: readonly string[] = ['home-assistant', 'snapcast'];

/** Returns the end of an address that tells speakers of one host apart; '' without one. */
const endOfAddress = (kind: string, address: string): string =>
  SHARED_HOST.includes(kind) ? (/[^/]\/([^/]+)$/.exec(address)?.[1] ?? '') : '';

/**
 * Returns the name of a speaker; of a nameless one its kind and host, such as `DLNA 192.168.1.7`, or `Snapcast 192.168.1.7/4dcc4e3b` if
 * the host has several speakers. Messages of the runtime name the address, or else the code of the kind.
 */
export function nameOfSpeaker(speaker: Values, texts: Texts): string {
  const [name = '', kind = '', address = ''] = ['name', 'kind', 'address'].map((key) =>
    textOf(speaker[key]).trim(),
  );
  const place = [placeOf(kind, address), endOfAddress(kind, address)].filter(Boolean).join('/');
  const facts = [kindText(kind, texts), place].filter(Boolean);
  return name || facts.join(' ') || texts._('label');
}

/** The numbers of a speaker: the keys of their labels, and their highest values. The lowest is 0. */
const NUMBERS = {
  max_volume: { label: 'max_volume', max: 100 },
  wake_up: { label: 'wake_up.label', max: 3 },
} as const;

export type SpeakerNumber = keyof typeof NUMBERS;

/**
 * Returns the localized problem of a number. A blank value means the default, and an environment variable such as `${VOLUME}` has its
 * value in the runtime. With spaces around it, Node-RED does not replace it.
 */
export function numberProblem(name: SpeakerNumber, value: unknown, texts: Texts): string | undefined {
  const { label, max } = NUMBERS[name];
  if (typeof value === 'string' && isEnvironmentVariable(value)) return undefined;
  const number = Number(value ?? '');
  return number >= 0 && number <= max ? undefined : texts._('number', { field: texts._(label), max });
}

/** Returns the localized problem of an address. */
export function addressProblem(kind: string, address: unknown, texts: Texts): string | undefined {
  const fault = addressFault(kind, textOf(address));
  return fault && texts._(fault, { example: exampleOf(kind) });
}

/** Examples of addresses by kind. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'home-assistant': 'http://homeassistant.local:8123/media_player.kitchen',
  mopidy: '192.168.1.7:6680',
  mpd: '192.168.1.7:6600',
  snapcast: '192.168.1.7:1705/4dcc4e3b',
};

/** Returns an address of a kind. */
export const exampleOf = (kind: string): string => EXAMPLES[kind] ?? '192.168.1.7';

/** Returns the first localized problem of the saved values of a speaker. */
export const problemOfSpeaker = (saved: Values, texts: Texts): string | undefined =>
  addressProblem(textOf(saved['kind']), saved['address'], texts) ??
  numberProblem('max_volume', saved['max_volume'], texts) ??
  numberProblem('wake_up', saved['wake_up'], texts);
