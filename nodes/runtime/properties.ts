import { abridged, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { say } from './messages.js';

/** The source of a value: typed, message, context, environment or JSONata expression. */
export type Source = 'str' | 'num' | 'bool' | 'json' | 'msg' | 'flow' | 'global' | 'env' | 'jsonata';

/** A saved property: its defaults and its row in the editor's form. */
export interface Property {
  source: Source;
  value: string;
  types: readonly Source[];
  /** Values that the editor offers to pick from. */
  choices?: readonly string[];
  /** Icon of the row, a Font Awesome 4 name. */
  icon: string;
  /** Puts the row in the fold "More". */
  more?: boolean;
  /** Shows the row only if each named property has one of these values, or a value that only a message sets. */
  onlyFor?: Readonly<Record<string, readonly string[]>>;
  /** Adds a voice picker to the row; the value names the library that it lists. */
  voices?: 'all' | 'preset' | 'own';
}

type Options = Partial<Omit<Property, 'types' | 'icon'>>;

const DYNAMIC = ['msg', 'flow', 'global', 'env', 'jsonata'] as const;

const property =
  (source: Source) =>
  (icon: string, options: Options = {}): Property => ({
    source,
    value: '',
    types: [source, ...DYNAMIC],
    icon,
    ...options,
  });

/** A text property, blank by default. */
export const text = property('str');
/** A numeric property, blank by default. */
export const number = property('num');
/** An object property, blank by default. */
export const object = property('json');
/** A property that cannot be typed, such as a Buffer. It reads `msg.FIELD` by default. */
export const fromMessage = (icon: string, field: string): Property => ({
  source: 'msg',
  value: field,
  types: ['msg', 'flow', 'global', 'jsonata'],
  icon,
});
/** A boolean property. It reads `msg.FIELD` by default. */
export const flag = (icon: string, field: string, options: Options = {}): Property =>
  property('bool')(icon, { source: 'msg', value: field, ...options });
/** A property with a fixed set of values. If blank, it reads the message field of the same name. */
export const choice = (icon: string, choices: readonly string[], options: Options = {}): Property =>
  property('str')(icon, { choices, ...options });

export type Properties = Readonly<Partial<Record<string, Property>>>;

/** The saved properties of a node: for each field `FIELD` and `FIELDType`, such as `voice_id` and `voice_idType`. */
export type SavedProperties = Readonly<Record<string, unknown>>;

/** Returns the saved property of a field. `name` is already the name of the node. */
export const savedName = (field: string): string => (field === 'name' ? 'voice_name' : field);

export interface Reader {
  RED: NodeAPI;
  node: Node;
  saved: SavedProperties;
}

/**
 * Evaluates all properties for a message. A blank property uses the message field of the same name. The result omits
 * properties without a value.
 * @throws SpeechError `bad-request` with the name of the property that cannot be evaluated
 */
export async function readProperties(
  reader: Reader,
  properties: Properties,
  message: NodeMessage,
): Promise<Record<string, unknown>> {
  const entries = await Promise.all(
    Object.entries(properties).map(async ([field, definition]): Promise<[string, unknown]> => [
      field,
      definition && (await readProperty(reader, field, definition, message)),
    ]),
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

async function readProperty(
  reader: Reader,
  field: string,
  definition: Property,
  message: NodeMessage,
): Promise<unknown> {
  const { value, source } = savedProperty(reader.saved, field, definition);
  if (value === '') return message[field] === '' ? undefined : message[field];
  try {
    const found = await evaluate(reader, value, source, message);
    return source === 'env' && typeof found === 'string'
      ? await fromText(reader, found, definition.types[0], message)
      : found;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : abridged(cause);
    const text = say('not-evaluated', { field, source, value: abridged(value), problem: why });
    throw new SpeechError('bad-request', text, { cause });
  }
}

/** Converts the text of an environment variable to the type of the property. An empty variable counts as not set. */
async function fromText(
  reader: Reader,
  found: string,
  typed: Source | undefined,
  message: NodeMessage,
): Promise<unknown> {
  if (found === '') return undefined;
  return typed === 'num' || typed === 'bool' || typed === 'json'
    ? evaluate(reader, found, typed, message)
    : found;
}

const SOURCES: readonly string[] = ['str', 'num', 'bool', 'json', ...DYNAMIC];
const isSource = (type: unknown): type is Source => typeof type === 'string' && SOURCES.includes(type);

/** Reads a saved property. Older or hand-written flows may lack it: then the default applies. */
function savedProperty(
  properties: SavedProperties,
  field: string,
  definition: Property,
): { value: string; source: Source } {
  const value = properties[savedName(field)];
  const source = properties[`${savedName(field)}Type`];
  if (value === undefined || value === null) return definition;
  const saved = typeof value === 'string' ? value : JSON.stringify(value);
  return { value: saved, source: isSource(source) ? source : definition.source };
}

function evaluate(
  { RED, node }: Reader,
  value: string,
  source: Source,
  message: NodeMessage,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    RED.util.evaluateNodeProperty(value, source, node, message, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}
