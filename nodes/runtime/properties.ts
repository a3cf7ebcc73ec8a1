import { abridged, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI, NodeMessage } from 'node-red';

/** Where a value comes from: as typed, from the message, from context, the environment, or an expression. */
export type Source = 'str' | 'num' | 'bool' | 'json' | 'msg' | 'flow' | 'global' | 'env' | 'jsonata';

/** A saved property: its defaults, and its row in the editor's form. */
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
  voices?: 'all' | 'own';
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

/** A property that is text, left blank. */
export const text = property('str');
/** A property that is a number, left blank. */
export const number = property('num');
/** A property that is an object, left blank. */
export const object = property('json');
/** A property that comes from the message only unless it is set otherwise, such as a Buffer. */
export const fromMessage = (icon: string, field: string): Property => ({
  source: 'msg',
  value: field,
  types: ['msg', 'flow', 'global', 'jsonata'],
  icon,
});
/** A property that is on or off; it follows the message's field of its name until it is set. */
export const flag = (icon: string, field: string, options: Options = {}): Property =>
  property('bool')(icon, { source: 'msg', value: field, ...options });
/** A property that is one of some words; blank follows the message's field of its name. */
export const choice = (icon: string, choices: readonly string[], options: Options = {}): Property =>
  property('str')(icon, { choices, ...options });

export type Properties = Readonly<Partial<Record<string, Property>>>;

/** Saved properties of a node: `voice_id` and `voice_idType`, and so on. */
export type SavedProperties = Readonly<Record<string, unknown>>;

/** The saved property of a field: `name` is the node's own name already. */
export const savedName = (field: string): string => (field === 'name' ? 'voice_name' : field);

export interface Reader {
  RED: NodeAPI;
  node: Node;
  saved: SavedProperties;
}

/**
 * The values that a message gets: each property evaluated; one left blank takes the message's field of its name.
 * Values that are nowhere are left out.
 * @throws SpeechError `bad-request`, naming the property that can't be evaluated
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
    throw new SpeechError(
      'bad-request',
      `${field}: ${source} ${abridged(value)} can't be evaluated: ${why}`,
      {
        cause,
      },
    );
  }
}

/** The environment has texts alone: one is read as if it had been typed, and an empty one says nothing. */
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

/** Saved flows are input: what an older or hand-written flow lacks has its default. */
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
