import { PAGE_SIZE } from '@herald-speech/client/interface';
import { ServiceError } from './errors.js';

const COUNT = /^(?:0|[1-9]\d{0,8})$/;

/** Non-negative integers as tokens, which own voices and usage have (docs/interface.md#paging). */
export const numberToken = {
  write: String,
  /** undefined for what is no such number */
  read: (token: string): number | undefined => (COUNT.test(token) ? Number(token) : undefined),
};

/** What a list goes by: each item has a place for ever, and a token tells of the item that a page ended with. */
export interface Order<Item> {
  /** 1 or more, rising along the list. */
  place(item: Item): number;
  write(item: Item): string;
  /** The place of the item that the token was written for; undefined for a token that this service did not give. */
  read(token: string): number | undefined;
}

export interface Paging {
  page_size?: number | undefined;
  next_page_token?: string | undefined;
}

/**
 * One page of all that matched (docs/interface.md#page). It goes on after a place, so that items which come or go meanwhile
 * shift nothing. The last page has no token.
 * @throws ServiceError 400 for a token that this service did not give
 */
export function pageOf<Item>(
  all: readonly Item[],
  { page_size = PAGE_SIZE.default, next_page_token }: Paging,
  order: Order<Item>,
): { items: Item[]; total: number; next_page_token?: string } {
  const after = next_page_token === undefined ? 0 : order.read(next_page_token);
  if (after === undefined) throw new ServiceError(400, 'next_page_token is none of a page before');
  const rest = all.filter((item) => order.place(item) > after);
  const items = rest.slice(0, page_size);
  const last = items.at(-1);
  const more = last !== undefined && rest.length > items.length;
  return { items, total: all.length, ...(more && { next_page_token: order.write(last) }) };
}
