/** Schemas for replies: a reply can lack fields, and a faulty reply can be large. */
import { z } from '#zod';

/** Wrong items of a list that a check reports. A reply can contain a million of them. */
const MAX_WRONG_ITEMS = 6;

/** Like `z.array`, but the check ends after some wrong items. */
export function tolerantArray<Item extends z.ZodType>(item: Item) {
  return z.preprocess((list: z.input<Item>[], context) => {
    if (Array.isArray(list)) checkItems(list, item, context);
    return list;
  }, z.array(item));
}

function checkItems(list: readonly unknown[], item: z.ZodType, context: z.RefinementCtx): void {
  let wrong = 0;
  for (let index = 0; index < list.length && wrong < MAX_WRONG_ITEMS; index += 1) {
    const { error } = item.safeParse(list[index]);
    if (error === undefined) continue;
    wrong += 1;
    for (const issue of error.issues) context.addIssue({ ...issue, path: [index, ...issue.path] });
  }
}

/** Completes an object of a reply: a service may omit a field that does not matter, or send null. */
export function completed<Schema extends z.ZodObject>(schema: Schema, defaults: Partial<z.output<Schema>>) {
  return z.preprocess((value: z.input<Schema>) => {
    if (typeof value !== 'object' || value === null) return value;
    const missing = Object.entries(defaults).filter(([field]) => Reflect.get(value, field) == null);
    return { ...value, ...Object.fromEntries(missing) };
  }, schema);
}

/** An optional field of a reply; null counts as absent. */
export const ifPresent = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((value: z.input<Schema> | null | undefined) => value ?? undefined, schema.optional())
    .optional();

/** A field of the local service only. Another service may use its name for something else, which counts as absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().catch(undefined).optional();
