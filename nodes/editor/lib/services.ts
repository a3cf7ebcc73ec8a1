/** The services of an account, as the build registers them with its type (`scripts/build/services.mjs`). */

/** A set of names, or all of them. */
type Names = readonly string[] | 'all';

/** The facts of a service in the registration. */
export interface RegisteredFacts {
  /** Whether speech costs nothing. */
  isFree: boolean;
  key: 'none' | 'optional' | 'required';
  /** The property with the address: `url`, `address`, or blank for the local service. */
  addressIn: string;
  operations: Names;
  fields: Names;
  maxTextLength: number;
  /** The identifier that stands for the default voice of the service, if it has one. */
  defaultVoice?: string;
}

/** The facts of a service. */
export type ServiceFacts = ReturnType<typeof serviceFacts>;

/** Returns the facts of a service; of the local service for an unknown name. */
export function serviceFacts(name = '') {
  const all = RED.nodes.getType('herald-account').services;
  const { key, operations, fields, ...facts } = all[name] ?? all.local;
  return {
    ...facts,
    /** Whether Herald reaches the service over the network. */
    isRemote: facts.addressIn !== '',
    isKeyRequired: key === 'required',
    hasKey: key !== 'none',
    /** Whether the service has an operation of the interface. */
    has: (operation: string) => includes(operations, operation),
    /** Whether the service follows an optional field of a speech request. A voice setting is `voice_settings.NAME`. */
    follows: (field: string) => includes(fields, field),
  };
}

const includes = (names: Names, name: string): boolean => names === 'all' || names.includes(name);
