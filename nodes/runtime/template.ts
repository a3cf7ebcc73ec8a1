import { INTERPRET_AS, lazy, SAY_AS, type SayAs, sayAs } from '@herald-speech/client';
import type * as Mustache from 'mustache';

/** A text without tags needs no template engine. */
const mustache = lazy((): typeof Mustache => require('mustache'));

/** Reads a value from outside the message: a context property or an environment variable. */
export type ReadOutside = (source: 'flow' | 'global' | 'env', key: string) => Promise<unknown>;

/** The name of a tag that reads the context: `flow.x`, `global.x`, `flow[store].x`. */
const CONTEXT = /^(?<source>flow|global)(?:\[(?<store>\w+)\])?\.(?<key>.+)$/;
const ENVIRONMENT = /^env\.(.+)$/;

/** Writes the content of a section such as `{{#say.digits}}`. */
export type SayMarked = (content: string, as: SayAs) => string;

/** A file name and other texts that are not spoken have the content of these sections only. */
const asWritten: SayMarked = (content) => content;

/** Marks the content for `client.speak`. A blank content stays blank. */
export const markedSay: SayMarked = (content, as) => (content.trim() === '' ? '' : sayAs(content, as));

/**
 * Fills in a Mustache template as the core template node does: from the message, then `env.NAME`, `flow.NAME` and
 * `global.NAME`. Values are inserted without HTML entities, because speech is not HTML. A section `{{#say.WAY}}` says its
 * content in this way, unless the message has a field `say`.
 * @throws Error for an invalid template, or an unknown way
 */
export async function fillTemplate(
  template: string,
  message: object,
  read: ReadOutside,
  insert: Insert,
  say: SayMarked = asWritten,
): Promise<string> {
  if (!template.includes('{{')) return template;
  const { parse } = mustache();
  const names = namesIn(parse(template));
  const values = await Promise.all(names.map((name) => valueOutside(name, read)));
  const outside = new Map(names.map((name, index) => [name, values[index]]));
  return writerOf(insert, say).render(template, contextOf(message, outside));
}

/** Converts a value of a tag to the text that replaces the tag. A tag without a value has `undefined`. */
type Insert = (value: unknown, tag: string) => string;

/** Converts any value as Mustache does. */
const asText: (value: unknown) => string = String;

/** Inserts values of tags as text. A tag without a value becomes '', and its name goes to `empty`. */
export const insertNoting =
  (empty: Set<string>): Insert =>
  (value, tag) => {
    if (value !== undefined && value !== null) return asText(value);
    empty.add(tag);
    return '';
  };

/** A template whose values are filled in later, when more values than the message has are known. */
export class DeferredTemplate {
  constructor(
    readonly template: string,
    private readonly message: object,
    private readonly read: ReadOutside,
  ) {}

  /**
   * Fills in the template as `fillTemplate` does.
   * @param values win over the message
   * @throws Error for an invalid template
   */
  fill(values: object, insert: Insert): Promise<string> {
    return fillTemplate(this.template, { ...this.message, ...values }, this.read, insert);
  }
}

const SAY = /^say\.(.*)$/;
/** A word of templates beside the values of `interpret-as`. */
const SPELL = 'spell';

/** Returns the way of a section. @throws Error for an unknown one */
function wayOf(name: string): SayAs {
  const as = name === SPELL ? 'characters' : SAY_AS.find((way) => way === name);
  if (as !== undefined) return as;
  throw new Error(
    `{{#say.${name}}}: unknown. Use one of ${[...INTERPRET_AS, SPELL].map((way) => `say.${way}`).join(', ')}`,
  );
}

/** Returns a writer that converts the values of all tags: `{{name}}`, `{{{name}}}` and `{{&name}}`. */
function writerOf(insert: Insert, say: SayMarked): Mustache.Writer {
  const { Writer } = mustache();
  return new (class extends Writer {
    override escapedValue(token: string[], context: Mustache.Context): string {
      return this.unescapedValue(token, context);
    }

    override renderSection(...section: Parameters<Mustache.Writer['renderSection']>): string {
      const [token, context, ...rest] = section;
      const [, way] = SAY.exec(token[1] ?? '') ?? [];
      if (way === undefined || context.lookup('say') !== undefined) return super.renderSection(...section);
      const inner: unknown = token[4];
      return say(Array.isArray(inner) ? this.renderTokens(inner, context, ...rest) : '', wayOf(way));
    }

    override unescapedValue([, name = '']: string[], context: Mustache.Context): string {
      return insert(context.lookup(name), name);
    }
  })();
}

/** Returns the names of all tags, also in sections. A token is `[type, name, start, end, tokens of the section]`. */
function namesIn(tokens: readonly unknown[]): string[] {
  return tokens.flatMap((token) => {
    const [type, name, , , inner]: unknown[] = Array.isArray(token) ? token : [];
    const names = type === 'text' || typeof name !== 'string' ? [] : [name];
    return Array.isArray(inner) ? [...names, ...namesIn(inner)] : names;
  });
}

async function valueOutside(name: string, read: ReadOutside): Promise<unknown> {
  const [, variable] = ENVIRONMENT.exec(name) ?? [];
  if (variable !== undefined) return read('env', variable);
  const { source, store, key = '' } = CONTEXT.exec(name)?.groups ?? {};
  if (source !== 'flow' && source !== 'global') return undefined;
  return read(source, store === undefined ? key : `#:(${store})::${key}`);
}

/** Returns a view of the message. A name that the message lacks has its value from outside, also in sections. */
function contextOf(message: object, outside: ReadonlyMap<string, unknown>): Mustache.Context {
  const { Context } = mustache();
  return new (class Lookup extends Context {
    override lookup(name: string): unknown {
      const found: unknown = super.lookup(name);
      return found === undefined ? outside.get(name) : found;
    }

    override push(view: unknown): Lookup {
      return new Lookup(view, this);
    }
  })(message);
}
