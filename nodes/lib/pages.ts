import { checkRequest, type Operation, PAGE_SIZE, z } from '@herald-speech/client';
import type { Task } from './define-node.js';

/** The choices of how many pages to read. */
export const PAGES = ['one', 'all'] as const;
type Pages = (typeof PAGES)[number];

/** The request field for the number of pages, with its default. */
export const pagesField = (defaultValue: Pages) => z.enum(PAGES).default(defaultValue);

/** A page of a list (docs/interface.md#page). */
interface Page {
  total?: number | undefined;
  next_page_token?: string | null | undefined;
}

/** A list or search operation, which replies page by page. */
export type Listing<Item> = Operation<z.ZodObject, z.ZodType<Page & { items: Item[] }>>;

/** The result of a list or search: its items, and the total and next page for `msg.speech`. */
export interface Found<Item> {
  items: Item[];
  speech: { total: number; next_page_token: string | undefined };
}

/**
 * Reads the requested page, or all pages. If `pages` is `all` and the request sets no page size, uses the largest pages.
 * Ignores fields that the operation does not have.
 * @throws SpeechError
 */
export function listItems<Item>(
  operation: Listing<Item>,
  { client, request: { pages, ...fields }, ...options }: Task<{ pages: Pages; [field: string]: unknown }>,
): Promise<Found<Item>> {
  const page_size = pages === 'all' ? PAGE_SIZE.max : undefined;
  const request = checkRequest(operation.request, { page_size, ...fields });
  return collectItems(
    client.pages(operation, request, { ...options, checked: true }),
    ({ items }) => items,
    pages,
  );
}

/** Collects the items of the first page or of all pages. If the service sends no `total`, counts the items (docs/interface.md#page). */
export async function collectItems<P extends Page, Item>(
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
