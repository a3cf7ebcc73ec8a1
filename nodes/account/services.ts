/** The services of an account, as data. To add a service, add it here (docs/decisions/0197-services-of-an-account.md). */
import type { UpstreamChoice } from '@herald-speech/client';
import { savedNumber } from './limits.js';

/** The saved properties of a new account that decide about its service. */
export const serviceDefaults = {
  /** A name of `services`. */
  service: 'local',
  /** The base URL of an HTTP service. */
  url: '',
  /** Host and port of a Wyoming server. */
  address: '',
  /** Blank: the default model of the service. */
  model: '',
  /** Names of voices, separated by commas. Blank: the voices that the service lists. */
  voices: '',
  /** UTF-16 code units of one request; blank for 4096. */
  maxTextLength: '',
  /** The instructions of each request to a model that follows instructions. */
  instructions: '',
};

/** A saved flow is unchecked input. */
export type SavedChoice = Partial<Record<keyof typeof serviceDefaults, unknown>>;

/** A service that Herald reaches over the network. */
export interface RemoteService {
  /** The saved property with the address. */
  addressIn: 'url' | 'address';
  /** A valid address. */
  example: string;
  /** Whether the account has an API key: never, always, or if the user has entered a key. */
  key: 'none' | 'required' | 'optional';
  /** Whether speech costs nothing: no budget applies, and a dialog may speak a test sentence. */
  isFree: boolean;
  /** The properties and sections of the dialog that this service has, and not every other service. */
  shows: readonly string[];
  /** Returns the client's option `upstream`. */
  upstream(saved: SavedChoice): UpstreamChoice;
}

/** The local service, which the account starts. */
const local = { isFree: true, shows: ['programs'] };

/** The sections of each remote service. */
const REMOTE = ['figuresAsWords', 'limits', 'fleet'];

const remotes = {
  hosted: {
    addressIn: 'url',
    example: 'https://speech.example.com',
    key: 'required',
    isFree: false,
    shows: [...REMOTE, 'url', 'apiKey', 'budget', 'connection', 'clonesPerMinute', 'maxRetryAfter'],
    upstream: () => ({ kind: 'hosted' }),
  },
  openai: {
    addressIn: 'url',
    example: 'https://speech.example.com/v1',
    key: 'optional',
    isFree: false,
    shows: [
      ...REMOTE,
      'url',
      'urlNote',
      'apiKey',
      'model',
      'speech',
      'budget',
      'connection',
      'maxRetryAfter',
    ],
    upstream: ({ model, voices, maxTextLength, instructions }) => ({
      kind: 'openai',
      ...given({
        model: trimmedText(model),
        voices: namesIn(trimmedText(voices)),
        maxTextLength: savedNumber(maxTextLength),
        instructions: trimmedText(instructions),
      }),
    }),
  },
  wyoming: {
    addressIn: 'address',
    example: 'tcp://localhost:10200',
    key: 'none',
    isFree: true,
    shows: [...REMOTE, 'address'],
    upstream: () => ({ kind: 'wyoming' }),
  },
} satisfies Record<string, RemoteService>;

/** The services of an account, by the saved value of `service`. */
export const services = { local, ...remotes };

const byName: ReadonlyMap<unknown, RemoteService> = new Map(Object.entries(remotes));

/** Returns the saved service. An account without one uses the local service. */
export const serviceOf = ({ service = 'local' }: Pick<SavedChoice, 'service'>): unknown => service;

/** Returns the remote service of an account; undefined for the local service and for an unknown one. */
export const remoteOf = (saved: Pick<SavedChoice, 'service'>): RemoteService | undefined =>
  byName.get(serviceOf(saved));

/** Returns the properties of which one that the user has not set is missing. */
const given = (options: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(options).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** Returns the names in a text with commas. */
export const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Returns a saved text without white space around it; a blank text for any other value. */
export const trimmedText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
