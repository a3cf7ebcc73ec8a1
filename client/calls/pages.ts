import type { z } from 'zod';
import type { CallOptions } from './account.js';
import type { Client } from '../client.js';
import { SpeechError } from '../errors.js';
import type { Operation, RequestOf, ResponseOf } from '../interface/operation.js';

interface Page {
  next_page_token?: string | null | undefined;
}

/** An operation that answers a page at a time. */
export type PagedOperation = Operation<z.ZodObject, z.ZodType<Page>>;

/** A library larger than this is searched with narrower filters: 100 items a page make a million. */
const MAX_PAGES = 10_000;

/** Every page, in order; the token may be absent or null on the last one (docs/interface.md#page). */
export async function* pages<O extends PagedOperation>(
  call: Client['call'],
  operation: O,
  request: RequestOf<O>,
  options?: CallOptions,
): AsyncGenerator<ResponseOf<O>, void, undefined> {
  const seen = new Set<string>();
  let next: RequestOf<O> = request;
  while (seen.size < MAX_PAGES) {
    const page = await call(operation, next, options);
    yield page;
    const token = page.next_page_token;
    if (!token) return;
    if (seen.has(token)) break;
    seen.add(token);
    next = { ...request, next_page_token: token };
  }
  throw new SpeechError(
    'bad-reply',
    `the pages have no end: a page token came twice, or ${MAX_PAGES} pages`,
    {
      operation: operation.name,
    },
  );
}
