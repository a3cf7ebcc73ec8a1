import { abridged, abridgedText, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { exactValue } from '../runtime/exact-values.js';
import { say } from '../runtime/messages.js';
import {
  DeferredTemplate,
  fillTemplate,
  insertNoting,
  markedSay,
  type ReadOutside,
} from '../runtime/template.js';
import {
  DYNAMIC,
  type Properties,
  type Property,
  type PropertySource,
  savedName,
  type SavedProperties,
} from './property.js';

export interface Reader {
  RED: NodeAPI;
  node: Node;
  saved: SavedProperties;
}

/** The evaluated properties of a message. */
interface Values {
  /** The values by field, without properties that have no value. */
  values: Record<string, unknown>;
  /** Returns the name of a field for errors: `msg.NAME` if the value comes from the message, such as `msg.payload`. */
  nameOf(field: string): string;
  /** The tags of templates that have no value, such as `payload.temprature`. */
  emptyTags: readonly string[];
}

/**
 * Evaluates all properties for a message. A property that is blank, or that still has the typed value of a new node, uses
 * the message field of the same name if the message has one (docs/decisions/0039).
 * @throws SpeechError `bad-request` with the name of the property that cannot be evaluated
 */
export async function readProperties(
  reader: Reader,
  properties: Properties,
  message: NodeMessage,
): Promise<Values> {
  const given = new Map<string, string>();
  const emptyTags = new Set<string>();
  const known = knownProperties(reader.saved);
  const read = (field: string, definition: Property): unknown => {
    let saved = known.get(field);
    if (saved === undefined) known.set(field, (saved = savedProperty(reader.saved, field, definition)));
    const typed = definition.types[0];
    const name = isUntouched(saved, definition) ? givenName(message, field, definition) : undefined;
    if (name !== undefined) {
      given.set(field, name);
      return exactValue(message[name], typed);
    }
    // Most properties are blank. They need no promise.
    if (saved.value === '') return undefined;
    if (saved.source === 'msg') given.set(field, saved.value);
    const found = readProperty(reader, field, saved, message, definition.template, emptyTags);
    return saved.source === typed ? found : found.then((value) => convert(value, typed, saved.source));
  };
  const values: Record<string, unknown> = {};
  const waiting: Promise<void>[] = [];
  const set = (field: string, value: unknown) => {
    if (value !== undefined && value !== null) values[field] = value;
  };
  for (const field in properties) {
    const definition = properties[field];
    if (definition === undefined) continue;
    const value = read(field, definition);
    if (value instanceof Promise) waiting.push(value.then((found: unknown) => set(field, found)));
    else set(field, value);
  }
  if (waiting.length > 0) await Promise.all(waiting);
  for (const field in properties) if (isOutOfScope(properties, field, values)) delete values[field];
  return { values, nameOf: (field) => nameIn(given, field), emptyTags: [...emptyTags] };
}

function isOutOfScope(
  properties: Properties,
  field: string,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const { isScoped = false, onlyFor = {} } = properties[field] ?? {};
  return (
    isScoped &&
    Object.entries(onlyFor).some(
      ([leader, choices]) =>
        !choices.some((choice) => choice === (values[leader] ?? properties[leader]?.value)),
    )
  );
}

/** @param given the message fields that set a property, by its field */
function nameIn(given: ReadonlyMap<string, string>, field: string): string {
  const name = given.get(field);
  return name === undefined ? field : `msg.${name}`;
}

/** Converts a value of a message, context, variable or expression to the type of its property. */
function convert(found: unknown, typed: PropertySource | undefined, source: PropertySource): unknown {
  const isUnset = found === '' && (source === 'env' || typed !== 'str');
  return isUnset ? undefined : exactValue(found, typed);
}

/** Returns the name of the message field that sets a property, if the message has one. */
function givenName(message: NodeMessage, field: string, { ofNode, alias }: Property): string | undefined {
  if (ofNode === true) return undefined;
  if (isGiven(message[field])) return field;
  return alias !== undefined && isGiven(message[alias]) ? alias : undefined;
}

/** Whether a value is set. CSV files and HTTP queries deliver a missing value as an empty text. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Whether a saved property is blank, or a typed value that equals the default of a new node. */
function isUntouched({ value, source }: Saved, definition: Property): boolean {
  const isTyped = source === definition.source && TYPED.includes(source);
  return value === '' || (isTyped && value === definition.value);
}

async function readProperty(
  reader: Reader,
  field: string,
  { value, source }: Saved,
  message: NodeMessage,
  template: Property['template'],
  emptyTags: Set<string>,
): Promise<unknown> {
  const read: ReadOutside = (from, key) => evaluate(reader, key, from, message);
  try {
    if (template === 'deferred' && source === 'str' && value.includes('{{'))
      return new DeferredTemplate(value, message, read);
    if (template === true && source === 'str')
      return await fillTemplate(value, message, read, insertNoting(emptyTags), markedSay);
    return await evaluate(reader, value, source, message);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : abridged(cause);
    const text = say('not-evaluated', { field, source, value: abridgedText(value), problem: why });
    throw new SpeechError('bad-request', text, { cause });
  }
}

const TYPED: readonly PropertySource[] = ['str', 'num', 'bool', 'json'];
const SOURCES: readonly string[] = [...TYPED, ...DYNAMIC];
const isSource = (type: unknown): type is PropertySource =>
  typeof type === 'string' && SOURCES.includes(type);

/** A property as saved in a flow. */
type Saved = Pick<Property, 'value' | 'source'>;

/** The saved properties of each node by field. They never change: a deploy creates a new node. */
const savedByField = new WeakMap<SavedProperties, Map<string, Saved>>();

function knownProperties(properties: SavedProperties): Map<string, Saved> {
  const known = savedByField.get(properties) ?? new Map<string, Saved>();
  savedByField.set(properties, known);
  return known;
}

/** Reads a saved property. Older or hand-written flows may lack it: then the default applies. */
function savedProperty(properties: SavedProperties, field: string, definition: Property): Saved {
  const value = properties[savedName(field)];
  const source = properties[`${savedName(field)}Type`];
  if (value === undefined || value === null) return definition;
  const saved = typeof value === 'string' ? value : JSON.stringify(value);
  return { value: saved, source: isSource(source) ? source : definition.source };
}

function evaluate(
  { RED, node }: Reader,
  value: string,
  source: PropertySource,
  message: NodeMessage,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    RED.util.evaluateNodeProperty(value, source, node, message, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}
