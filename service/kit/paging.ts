import { abridged, PAGE_SIZE } from '@herald-speech/client/interface';
import { ServiceError } from './errors.js';

const COUNT = /^(?:0|[1-9]\d{0,8})$/;

/** Tokens of custom voices and of usage: non-negative integers (docs/interface.md#paging). */
export const numberToken = {
  write: String,
  /** Returns undefined if the token is not a non-negative integer of at most nine digits. */
  read: (token: string): number | undefined => (COUNT.test(token) ? Number(token) : undefined),
};

/** The order of a list. Each item has a permanent place, and a page token identifies the last item of a page. */
export interface Order<Item> {
  /** Returns the place of an item: 1 or more, increasing along the list. */
  place(item: Item): number;
  /** Returns the token of a page that ends with the item. */
  write(item: Item): string;
  /** Returns the place of the token's item, or undefined if this service did not issue the token. */
  read(token: string): number | undefined;
}

export interface Paging {
  page_size?: number | undefined;
  next_page_token?: string | undefined;
}

/**
 * Returns one page of the matching items (docs/interface.md#page). The last page has no token. A page starts after a
 * place, not at an index, so items that are added or deleted between two requests shift nothing.
 * @param all all matching items, in their order
 * @throws ServiceError 400 if this service did not issue the token
 */
export function pageOf<Item>(
  all: readonly Item[],
  { page_size = PAGE_SIZE.default, next_page_token }: Paging,
  order: Order<Item>,
): { items: Item[]; total: number; next_page_token?: string } {
  const after = next_page_token === undefined ? 0 : order.read(next_page_token);
  if (after === undefined) throw new ServiceError(400, unknownToken(next_page_token));
  const rest = all.filter((item) => order.place(item) > after);
  const items = rest.slice(0, page_size);
  const last = items.at(-1);
  const more = last !== undefined && rest.length > items.length;
  return { items, total: all.length, ...(more && { next_page_token: order.write(last) }) };
}

/** Returns the message for a token that this service did not issue. */
export function unknownToken(token: string | undefined): string {
  return `next_page_token is ${abridged(token)}: expected the token of the previous page`;
}
