/** Facts about an account and its fallbacks, which decide about a text before the first request. */
import {
  checkOperation,
  type Features,
  featuresOf,
  MAX_TEXT_LENGTH,
  type OperationName,
  operations,
  type Reading,
} from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { readingOf, type SavedReading } from './reading.js';
import { type RemoteService, remoteOf, type SavedChoice } from './services.js';
import { fallbackIdOf, type SavedSpeech } from './settings.js';

/** The saved properties of an account in a chain. */
export interface SavedMember extends SavedChoice, SavedReading, Pick<SavedSpeech, 'fallback'> {}

/** The local service as a fallback. */
const LOCAL: SavedMember = { service: 'local' };

/** Returns an account and its fallbacks in turn. An invalid fallback ends the chain: it fails when it has to speak. */
export function chainOf(RED: NodeAPI, account: string, saved: SavedMember): SavedMember[] {
  const chain: SavedMember[] = [];
  const seen = new Set([account]);
  for (let one: SavedMember | undefined = saved; one !== undefined;) {
    chain.push(one);
    const id: string | undefined = fallbackIdOf(one);
    if (one.fallback === 'local') chain.push(LOCAL);
    one = id === undefined || seen.has(id) ? undefined : savedAccount(RED, id);
    if (id !== undefined) seen.add(id);
  }
  return chain;
}

function savedAccount(RED: NodeAPI, id: string): SavedMember | undefined {
  let found: object | undefined;
  RED.nodes.eachNode((node) => {
    if (node.id === id && node.type === 'herald-account') found = node;
  });
  return found && { ...found };
}

/** Returns the readings of a chain. */
export const readingsOf = (chain: readonly SavedMember[]): Reading[] => [
  ...new Set(chain.flatMap((one) => readingOf(one) ?? [])),
];

/** The abilities of an account that a text needs to know. */
export type Abilities = Pick<Features, 'formats' | 'maxTextLength'>;

/** Each service of the interface makes these (docs/interface.md). */
const OWN: Abilities = { formats: ['wav', 'mp3'], maxTextLength: MAX_TEXT_LENGTH };

/** Returns the abilities that all accounts of a chain have. An account with invalid settings limits nothing: it cannot speak. */
export function abilitiesOf(chain: readonly SavedMember[]): Abilities {
  return chain.map(ownAbilities).reduce((all, one) => ({
    formats: all.formats.filter((format) => one.formats.includes(format)),
    maxTextLength: Math.min(all.maxTextLength, one.maxTextLength),
  }));
}

function ownAbilities(saved: SavedMember): Abilities {
  const service = remoteOf(saved);
  if (service === undefined) return OWN;
  return featuresIn(service, saved) ?? { ...OWN, maxTextLength: Infinity };
}

/** Returns the features of a remote service; undefined with invalid settings. */
function featuresIn(service: RemoteService, saved: SavedMember): Features | undefined {
  try {
    // A valid key and address: the features depend on neither.
    return featuresOf({ url: service.example, apiKey: 'key', upstream: service.upstream(saved) });
  } catch {
    return undefined;
  }
}

/** Returns the methods of an account about the abilities of its service and of its fallbacks. */
export const chainMethods = (RED: NodeAPI, account: string, saved: SavedMember) => ({
  abilities: () => abilitiesOf(chainOf(RED, account, saved)),
  checkNeeded: (name: OperationName) => checkNeeded(saved, name),
});

/** Checks that the service of an account has an operation. @throws SpeechError `not-supported` */
function checkNeeded(saved: SavedMember, name: OperationName): void {
  const service = remoteOf(saved);
  const features = service && featuresIn(service, saved);
  if (features !== undefined) checkOperation(features, operations[name]);
}
