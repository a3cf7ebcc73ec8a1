import { PAGE_SIZE } from '@herald-speech/client';
import { ServiceError } from '../service-error.js';

/** Where the next page starts, as a token: presets have opaque ones, own voices plain numbers (operations.md). */
export interface TokenKind {
  write(start: number): string;
  /** undefined for a token that this service did not give. */
  read(token: string): number | undefined;
}

const COUNT = /^(?:0|[1-9]\d{0,8})$/;

export const numberToken: TokenKind = {
  write: String,
  read: (token) => (COUNT.test(token) ? Number(token) : undefined),
};

const PREFIX = 'voices:';

export const opaqueToken: TokenKind = {
  write: (start) => Buffer.from(`${PREFIX}${start}`).toString('base64url'),
  read: (token) => {
    const text = Buffer.from(token, 'base64url').toString();
    return text.startsWith(PREFIX) ? numberToken.read(text.slice(PREFIX.length)) : undefined;
  },
};

interface Paging {
  page_size?: number | undefined;
  next_page_token?: string | undefined;
}

/**
 * One page of all that matched (service-api.md, 2.3); the last one has no token.
 * @throws ServiceError 400 for a token that this service did not give
 */
export function pageOf<Item>(
  all: readonly Item[],
  { page_size = PAGE_SIZE.default, next_page_token }: Paging,
  tokens: TokenKind,
): { items: Item[]; total: number; next_page_token?: string } {
  const start = next_page_token === undefined ? 0 : tokens.read(next_page_token);
  if (start === undefined) throw new ServiceError(400, 'next_page_token is none of a page before');
  const end = start + page_size;
  const items = all.slice(start, end);
  return { items, total: all.length, ...(end < all.length && { next_page_token: tokens.write(end) }) };
}
