/** The services of an account, as the build registers them with its type (`scripts/build/services.mjs`). */
import { fieldsOf, numberOf, textOf, textsOf } from '@herald-speech/browser';

/** A set of names, or all of them. */
type Names = readonly string[] | 'all';

/** The facts of a service. */
export interface ServiceFacts {
  /** Whether Herald reaches the service over the network. */
  isRemote: boolean;
  /** The property with the address: `url`, `address`, or blank for the local service. */
  addressIn: string;
  isKeyRequired: boolean;
  hasKey: boolean;
  /** Whether speech costs nothing. */
  isFree: boolean;
  maxTextLength: number;
  /** Whether the service has an operation of the interface. */
  has(operation: string): boolean;
  /** Whether the service follows an optional field of a speech request. A voice setting is `voice_settings.NAME`. */
  follows(field: string): boolean;
}

/** Returns the facts of a service; of the local service for an unknown name. */
export function serviceFacts(name: string | undefined): ServiceFacts {
  const all = fieldsOf(RED.nodes.getType('herald-account')['services']);
  const facts = fieldsOf(all[name ?? ''] ?? all['local']);
  const [operations, fields] = [namesIn(facts['operations']), namesIn(facts['fields'])];
  const addressIn = textOf(facts['addressIn']);
  return {
    isRemote: addressIn !== '',
    addressIn,
    isKeyRequired: facts['key'] === 'required',
    hasKey: facts['key'] !== 'none',
    isFree: facts['isFree'] === true,
    maxTextLength: numberOf(facts['maxTextLength']) ?? Infinity,
    has: (operation) => includes(operations, operation),
    follows: (field) => includes(fields, field),
  };
}

const namesIn = (value: unknown): Names => (value === 'all' ? 'all' : textsOf(value));

const includes = (names: Names, name: string): boolean => names === 'all' || names.includes(name);
