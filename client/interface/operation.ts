import type { z } from 'zod';
import type { RefusalStatus } from '../base/errors.js';
import { lazy } from '../base/lazy.js';

/** A rate limit (docs/interface.md#limits). Each request counts against `general`, a clone against both. */
export type Bucket = 'general' | 'clone';

/** The content of a successful reply. */
type ReplyKind = 'json' | 'audio' | 'empty';

/** The facts of an operation that need no schema. */
interface OperationFacts {
  /** The name in `operations` and in errors. */
  name: string;
  /** A short description for readers of the interface. */
  summary: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `{field}` takes the value of that request field, which the body and query then omit. */
  path: `/v1/${string}` | `/console/${string}`;
  /** The encoding of a POST or PATCH body, by default JSON. A GET or DELETE sends its fields in the query. */
  body?: 'json' | 'multipart';
  reply: ReplyKind;
  /** Whether the service sends the reply while it makes it. */
  streams: boolean;
  /** Whether a call with an unknown outcome can be repeated. The only harm is a second charge. */
  idempotent: boolean;
  bucket: Bucket;
  /** Whether the call costs credits (docs/interface.md#credits: per second of generated audio). */
  paid: boolean;
  /** Statuses that a request can cause, in addition to 401, 429, 500 and 503, which any request can cause. */
  failures: readonly RefusalStatus[];
  /** The reply that a 404 stands for: some services reply 404 to a list without items (docs/interface.md#page). */
  notFound?: unknown;
}

/**
 * One call of the interface, as data. The client, the local service and the nodes read the same object, so each field,
 * range and path is stated once.
 */
export interface Operation<
  Request extends z.ZodObject = z.ZodObject,
  Response extends z.ZodType = z.ZodType,
> extends OperationFacts {
  readonly request: Request;
  readonly response: Response;
}

/** The request of an operation, before defaults are filled in. */
export type RequestOf<O extends Operation> = z.input<O['request']>;

/** A checked request: its fields match the operation's schema. */
export type CheckedRequest = Record<string, unknown>;

/** The checked reply of an operation. */
export type ResponseOf<O extends Operation> = z.output<O['response']>;

/** The facts of most operations. */
const usual = {
  reply: 'json',
  streams: false,
  idempotent: true,
  bucket: 'general',
  paid: false,
} satisfies Partial<OperationFacts>;

interface Definition<Request, Response>
  extends Omit<OperationFacts, keyof typeof usual>, Partial<Pick<OperationFacts, keyof typeof usual>> {
  request: () => Request;
  response: () => Response;
}

/**
 * Describes an operation. Reading a schema for the first time builds it, because loading zod takes long. A missing fact has the
 * value of most operations: a JSON reply, idempotent, free, in the bucket `general`.
 */
export function operation<Request extends z.ZodObject, Response extends z.ZodType>({
  request,
  response,
  ...facts
}: Definition<Request, Response>): Operation<Request, Response> {
  const [requestSchema, responseSchema] = [lazy(request), lazy(response)];
  return {
    ...usual,
    ...facts,
    get request() {
      return requestSchema();
    },
    get response() {
      return responseSchema();
    },
  };
}

/** Returns the request fields in a path, in order: `['voice_id']` for `/v1/voices/{voice_id}`. */
export function pathFields(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, field]) => field ?? []);
}
