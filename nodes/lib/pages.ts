import { checkRequest, type Operation, PAGE_SIZE, z } from '@herald-speech/client';
import type { Task } from '../runtime/define-node.js';

/** One page, or all of them. */
export const PAGES = ['one', 'all'] as const;
type Pages = (typeof PAGES)[number];

/** The field of a node's request that says so. */
export const pagesOr = (usual: Pages) => z.enum(PAGES).default(usual);

/** A page of a list, as the interface answers it. */
interface Page {
  total?: number | undefined;
  next_page_token?: string | null | undefined;
}

/** An operation that lists or searches, a page at a time. */
export type Listing<Item> = Operation<z.ZodObject, z.ZodType<Page & { items: Item[] }>>;

/** What a list or search found: its items, and for `msg.speech` how many there are and how to go on. */
export interface Found<Item> {
  items: Item[];
  speech: { total: number; next_page_token: string | undefined };
}

/**
 * The page that was asked for, or all pages as one, with as few requests as can be where nobody says how many items a
 * page has. Of the request's fields the operation takes those that it knows.
 * @throws SpeechError
 */
export function list<Item>(
  operation: Listing<Item>,
  { client, request: { pages, ...fields }, ...options }: Task<{ pages: Pages; [field: string]: unknown }>,
): Promise<Found<Item>> {
  const page_size = pages === 'all' ? PAGE_SIZE.max : undefined;
  const request = checkRequest(operation.request, { page_size, ...fields });
  return collect(client.pages(operation, request, options), ({ items }) => items, pages);
}

/** The items of the first page, or of all. `total` may go one day (docs/interface.md#page): then what was found counts. */
export async function collect<P extends Page, Item>(
  pages: AsyncIterable<P>,
  itemsOf: (page: P) => readonly Item[],
  which: Pages = 'all',
): Promise<Found<Item>> {
  const items: Item[] = [];
  let last: P | undefined;
  for await (const page of pages) {
    last = page;
    items.push(...itemsOf(page));
    if (which === 'one') break;
  }
  const next_page_token = last?.next_page_token ?? undefined;
  return { items, speech: { total: last?.total ?? items.length, next_page_token } };
}
