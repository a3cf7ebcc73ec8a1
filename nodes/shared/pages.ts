import { PAGE_SIZE } from '@herald-speech/client';

/** A page of a list, as the interface answers it. */
interface Page<Item> {
  items: readonly Item[];
  total?: number | undefined;
  next_page_token?: string | null | undefined;
}

/** What a list or search found: its items, and for `msg.speech` how many there are and how to go on. */
export interface Found<Item> {
  items: Item[];
  speech: { total: number; next_page_token: string | undefined };
}

/** Items of a page where nobody says how many: for all pages, as few requests as can be. */
export const sizeOf = (which: 'one' | 'all', max: number = PAGE_SIZE.max): number | undefined =>
  which === 'all' ? max : undefined;

/** The first page, or all of them as one. `total` may go one day (service-api.md, 2.3): then what was found counts. */
export async function collect<Item>(
  pages: AsyncIterable<Page<Item>>,
  which: 'one' | 'all',
): Promise<Found<Item>> {
  const items: Item[] = [];
  let last: Page<Item> | undefined;
  for await (const page of pages) {
    last = page;
    items.push(...page.items);
    if (which === 'one') break;
  }
  const next_page_token = last?.next_page_token ?? undefined;
  return { items, speech: { total: last?.total ?? items.length, next_page_token } };
}
