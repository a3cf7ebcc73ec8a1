/** Schemas and parts of schemas that several operations share. Each is built at its first use, because loading zod takes long. */
import { z } from '#zod';
import { lazy } from '../base/lazy.js';
import { text } from '../base/messages.js';
import { rule } from './describe-issues.js';
import { ifPresent, tolerantArray } from './lenient.js';
import { PAGE_SIZE } from './limits.js';
import { orElse } from './or-else.js';

/**
 * Limits a text in UTF-16 code units, like `length`. The method `max` of zod counts code points, so it would accept 300
 * emoji, which have 600 code units. A description of the interface has the limit as `maxLength`.
 */
export const atMost = (limit: number, schema: z.ZodString): z.ZodString =>
  schema
    .refine((value) => value.length <= limit, rule(text('rule-characters', { limit })))
    .meta({ maxLength: limit });

/** Limits a number. The message about another number names both limits. */
export function between<Schema extends z.ZodNumber>(schema: Schema, min: number, max: number): Schema {
  const message = rule(text('rule-between', { min, max }));
  return schema.min(min, message).max(max, message);
}

export const word = lazy(() => z.string().min(1, rule(text('rule-word'))));

/**
 * An identifier in a path. `.` and `..` would change the path (RFC 3986, 5.2.4), and a lone surrogate has no UTF-8
 * encoding.
 */
export const identifier = lazy(() =>
  word().regex(/^(?!\.{1,2}$)[^\s\p{Surrogate}]+$/u, rule(text('rule-identifier'))),
);

export const noFields = lazy(() => z.object({}));
export const nothing = lazy(() => z.undefined());
export const oneVoice = lazy(() => z.object({ voice_id: identifier() }));

export const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

/** A page of items. `total` is deprecated; the token is absent or null on the last page (docs/interface.md#page). */
export const pageSchema = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    items: tolerantArray(item),
    total: ifPresent(z.number()),
    next_page_token: z.string().nullish(),
  });

/** The page of a service that replies 404 to a list without items (docs/interface.md#page). */
export const emptyPage = { items: [], total: 0 };

export const paging = lazy(() =>
  z.object({
    page_size: orElse(between(z.int(), PAGE_SIZE.min, PAGE_SIZE.max), PAGE_SIZE.default),
    next_page_token: word().optional(),
  }),
);

/** A filter of a search. A blank filter counts as absent. */
const filterOf = (schema: z.ZodString) =>
  z
    .preprocess(
      (value: string | undefined) => (typeof value === 'string' && value.trim() === '' ? undefined : value),
      schema.optional(),
    )
    .optional();

export const filter = lazy(() => filterOf(word()));
export const styleFilter = lazy(() =>
  filterOf(
    word().refine((style) => !(style.includes(',') && style.includes(';')), rule(text('rule-separators'))),
  ),
);
