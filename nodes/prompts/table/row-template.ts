import { lazy, type Text } from '@herald-speech/client';
import type * as Mustache from 'mustache';
import { say } from '../../runtime/messages.js';
import { columnKey, listed } from './columns.js';
import { MAX_ROW_BYTES } from './raw-table.js';

/** The values that tags insert. */
interface TagValues {
  /** The values of the row by the key of their column. */
  values: ReadonlyMap<string, string>;
  /** The names of all columns of the table by their keys. */
  columns: ReadonlyMap<string, string>;
}

/** A text, the problem of one of its tags, or the rule that the whole text breaks. */
interface FilledText {
  text?: string;
  problem?: Text;
  rule?: Text;
}

/** The problem of a tag, thrown through the template engine. */
class WrongTag extends Error {
  constructor(readonly problem: Text) {
    super(problem.english);
  }
}

/**
 * Fills in the Mustache template of a text: `{{column}}` becomes the value of the column in this row, without HTML entities.
 * A section `{{#column}}...{{/column}}` applies if the row has a value. `{{text}}` does not exist.
 */
export function fillText(template: string, row: TagValues): FilledText {
  const { RowWriter, RowContext } = engine();
  try {
    return { text: new RowWriter().render(template, new RowContext(row)) };
  } catch (error) {
    if (error instanceof WrongTag) return { problem: error.problem };
    if (!(error instanceof Error)) throw error;
    return { rule: say('rule-template', { problem: error.message }) };
  }
}

/** Builds the template engine on its first use: a text without tags does not need it. */
const engine = lazy(() => {
  const { Context, Writer }: typeof Mustache = require('mustache');

  class RowContext extends Context {
    /** UTF-16 code units that tags can still insert. */
    private room = MAX_ROW_BYTES;

    constructor(private readonly row: TagValues) {
      super({});
    }

    /** Returns the value that a tag inserts. */
    insert(name: string): string {
      const value = this.lookup(name);
      if (value === '') throw new WrongTag(emptyTag(name));
      this.room -= value.length;
      if (this.room < 0) throw new WrongTag(say('row-bytes', { limit: MAX_ROW_BYTES }));
      return value;
    }

    /** Returns the value of a column, '' without a value. */
    override lookup(name: string): string {
      const key = columnKey(name);
      if (!this.row.columns.has(key) || key === 'text') throw new WrongTag(unknownTag(name, this.row));
      return this.row.values.get(key) ?? '';
    }

    override push(): this {
      return this;
    }
  }

  class RowWriter extends Writer {
    override escapedValue([, name = '']: string[], context: Mustache.Context): string {
      return context instanceof RowContext ? context.insert(name) : '';
    }

    override unescapedValue(token: string[], context: Mustache.Context): string {
      return this.escapedValue(token, context);
    }

    /** Tables have no partial templates. */
    override renderPartial([, name = '']: string[], context: Mustache.Context): string {
      return String(context.lookup(`>${name}`));
    }
  }
  return { RowContext, RowWriter };
});

const emptyTag = (name: string): Text =>
  say('row-tag-empty', { field: 'text', tag: `{{${name}}}`, optional: `{{#${name}}}…{{/${name}}}` });

function unknownTag(name: string, { columns }: TagValues): Text {
  const others = [...columns].flatMap(([key, column]) => (key === 'text' ? [] : [column]));
  return say('row-tag', { field: 'text', tag: `{{${name}}}`, columns: listed(others) });
}
