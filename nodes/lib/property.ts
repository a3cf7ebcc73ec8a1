import type { z } from '@herald-speech/client';

/** The source of a value: typed, message, context, environment or JSONata expression. */
export type PropertySource = 'str' | 'num' | 'bool' | 'json' | 'msg' | 'flow' | 'global' | 'env' | 'jsonata';

/**
 * The sections of a dialog, in their order. The first three are open in a new dialog. `expert` has the properties that only
 * experts know.
 */
export const SECTIONS = ['say', 'voice', 'output', 'announcement', 'queue', 'expert'] as const;
type Section = (typeof SECTIONS)[number];

/** A saved property: its defaults and its row in the editor's form. */
export interface Property {
  source: PropertySource;
  value: string;
  types: readonly PropertySource[];
  /** Values that the editor offers to pick from. */
  choices?: readonly string[];
  /** Icon of the row, a Font Awesome 4 name. */
  icon: string;
  /** Puts the row in a section of the dialog. */
  section?: Section;
  /** Puts the row in the fold "More" of its section, or of a form whose other rows have no section. */
  more?: boolean;
  /** A former name of the field. A message field of this name counts if the message lacks the field itself. */
  alias?: string;
  /** True for a setting of the node that a message field of its name does not change. */
  ofNode?: boolean;
  /**
   * Shows the row only if each named property has one of these values, or a value that only a message sets. While a named
   * property is blank as in a new node, shows the row only if it has a value.
   */
  onlyFor?: Readonly<Record<string, readonly string[]>>;
  /** True: a property that `onlyFor` hides has no value, also from a message. Other nodes use fields of its name, such as `msg.volume`. */
  isScoped?: boolean;
  /**
   * True: fills in a typed text as a Mustache template, and lets it have several lines. `deferred`: a typed text with tags
   * becomes a `DeferredTemplate`.
   */
  template?: boolean | 'deferred';
  /** Shows the typed path in the row of another property, as one of its sources. The path wins over the other sources. */
  pathFor?: string;
  /** The type of the config nodes whose ids a typed value lists. Flows save them as an array, so that an import keeps the references. */
  nodes?: string;
  /** Returns the schema of a typed value, for a field that only the operation of an action checks. The dialog checks with it. */
  rule?: () => z.ZodType;
  /** Adds a voice picker to the row; the value names the library that it lists. */
  voices?: 'all' | 'preset' | 'own';
}

type Options = Partial<Omit<Property, 'types' | 'icon'>>;

/** Sources that every property has. */
export const DYNAMIC = ['msg', 'flow', 'global', 'env', 'jsonata'] as const;

const property =
  (source: PropertySource) =>
  (icon: string, options: Options = {}): Property => ({
    source,
    value: '',
    types: [source, ...DYNAMIC],
    icon,
    ...options,
  });

/** A text property, blank by default. */
export const textProperty = property('str');
/** A numeric property, blank by default. */
export const numberProperty = property('num');
/** An object property, blank by default. */
export const objectProperty = property('json');
/** A property that cannot be typed, such as a Buffer. It reads `msg.FIELD` by default. */
export const fromMessage = (icon: string, field: string): Property => ({
  source: 'msg',
  value: field,
  types: ['msg', 'flow', 'global', 'jsonata'],
  icon,
});
/** A boolean property, blank by default. Earlier flows saved `msg.FIELD` as its default. */
export const flagProperty = property('bool');
/** A property with a fixed set of values. If blank, it reads the message field of the same name. */
export const choiceProperty = (icon: string, choices: readonly string[], options: Options = {}): Property =>
  property('str')(icon, { choices, ...options });

export type Properties = Readonly<Partial<Record<string, Property>>>;

/** The saved properties of a node: for each field `FIELD` and `FIELDType`, such as `voice_id` and `voice_idType`. */
export type SavedProperties = Readonly<Record<string, unknown>>;

/** Saved properties with another name than their field. `name` is already the name of the node. */
const SAVED_NAMES: ReadonlyMap<string, string> = new Map([
  ['name', 'voice_name'],
  ['format', 'output_format'],
]);

/** Returns the saved property of a field. */
export const savedName = (field: string): string => SAVED_NAMES.get(field) ?? field;
