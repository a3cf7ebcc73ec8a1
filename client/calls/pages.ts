import type { z } from 'zod';
import { type FailureCode, SpeechError } from '../base/errors.js';
import type { CheckedRequest, Operation, RequestOf, ResponseOf } from '../interface/operation.js';
import { checkedRequest } from '../interface/check-request.js';
import type { AccountCalls } from './account.js';
import type { CallOptions, CallSettings } from './call-options.js';
import { type Text, text } from '../base/messages.js';

interface Page {
  next_page_token?: string | null | undefined;
}

/** An operation with a reply in pages. */
export type PagedOperation = Operation<z.ZodObject, z.ZodType<Page>>;

/** Maximum number of pages of one list: a million items at 100 per page. Larger lists need filters. */
const MAX_PAGES = 10_000;

/**
 * Yields all pages in order. On the last page the token is absent or null (docs/interface.md#page).
 * @throws SpeechError `bad-reply` for a list without end or with more bytes than `maxReplyBytes`; `timed-out` after
 *   `listTimeout`
 */
export async function* pages<O extends PagedOperation>(
  account: AccountCalls,
  operation: O,
  request: RequestOf<O>,
  options: CallOptions = {},
): AsyncGenerator<ResponseOf<O>, void, undefined> {
  const first = checkedRequest(operation, request, options);
  const check = listCheck(account.settings, operation.name);
  let next: CheckedRequest = first;
  while (true) {
    const { value: page, bytes } = await account.send(operation, next, options);
    yield page;
    const token = page.next_page_token;
    if (!token) return;
    check(token, bytes);
    next = { ...first, next_page_token: token };
  }
}

type Limits = Pick<CallSettings, 'listTimeout' | 'maxReplyBytes'>;

/** Returns a function that checks a list after each page. A faulty service may send pages without end. */
function listCheck({ listTimeout, maxReplyBytes }: Limits, operation: string) {
  const deadline = performance.now() + listTimeout;
  const seen = new Set<string>();
  let total = 0;
  const fail = (code: FailureCode, message: Text) => new SpeechError(code, message, { operation });
  return (token: string, bytes: number): void => {
    total += bytes;
    if (total > maxReplyBytes) throw fail('bad-reply', text('list-large', { limit: maxReplyBytes }));
    if (performance.now() > deadline)
      throw fail('timed-out', text('list-slow', { seconds: listTimeout / 1000 }));
    if (seen.has(token) || seen.size >= MAX_PAGES - 1)
      throw fail('bad-reply', text('endless-list', { limit: MAX_PAGES }));
    seen.add(token);
  };
}
