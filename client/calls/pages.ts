import type { z } from 'zod';
import { SpeechError } from '../errors.js';
import type { Operation, RequestOf, ResponseOf } from '../interface/operation.js';
import { type Account, checkedRequest, type CallOptions, type CheckedRequest } from './account.js';
import { text } from '../messages.js';

interface Page {
  next_page_token?: string | null | undefined;
}

/** An operation with a reply in pages. */
export type PagedOperation = Operation<z.ZodObject, z.ZodType<Page>>;

/** Most pages of one list: a million items at 100 per page. Larger lists need filters. */
const MAX_PAGES = 10_000;

/** Yields all pages in order. On the last page the token is absent or null (docs/interface.md#page). */
export async function* pages<O extends PagedOperation>(
  account: Account,
  operation: O,
  request: RequestOf<O>,
  options: CallOptions = {},
): AsyncGenerator<ResponseOf<O>, void, undefined> {
  const first = checkedRequest(operation, request, options);
  const seen = new Set<string>();
  let next: CheckedRequest = first;
  while (seen.size < MAX_PAGES) {
    const { value: page } = await account.send(operation, next, options);
    yield page;
    const token = page.next_page_token;
    if (!token) return;
    if (seen.has(token)) break;
    seen.add(token);
    next = { ...first, next_page_token: token };
  }
  throw new SpeechError('bad-reply', text('endless-list', { limit: MAX_PAGES }), {
    operation: operation.name,
  });
}
