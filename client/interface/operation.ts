import type { z } from 'zod';

/** Which allowance a request counts against (docs/interface.md#limits): every request, or clones on top of it. */
export type Bucket = 'general' | 'clone';

/** How the body of a successful reply is read. */
export type ReplyKind = 'json' | 'audio' | 'empty';

/**
 * One call of the interface, as data. The client, the local service and the nodes all read the same object, so a
 * field, a range or a path is stated once.
 */
export interface Operation<
  Request extends z.ZodObject = z.ZodObject,
  Response extends z.ZodType = z.ZodType,
> {
  /** The name in `operations`, and in errors. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `{field}` takes the request's field of that name, which then leaves the body or query. */
  path: `/v1/${string}`;
  request: Request;
  response: Response;
  /** How a POST or PATCH carries the request; a GET or DELETE carries it in the query. */
  body?: 'json' | 'multipart';
  reply: ReplyKind;
  /** Whether repeating a call whose outcome is unknown does no harm beyond a second charge. */
  idempotent: boolean;
  bucket: Bucket;
  /** Whether the call takes credits (docs/interface.md#credits: per second of generated audio). */
  paid: boolean;
  /** What a 404 stands for on a list: some servers answer "none found" so (docs/interface.md#page). */
  notFound?: unknown;
}

/** What a caller hands in, before defaults are filled in. */
export type RequestOf<O extends Operation> = z.input<O['request']>;

/** What a caller gets back, checked. */
export type ResponseOf<O extends Operation> = z.output<O['response']>;

/** Describes an operation; keeps the exact types of its schemas. */
export function operation<Request extends z.ZodObject, Response extends z.ZodType>(
  definition: Operation<Request, Response>,
): Operation<Request, Response> {
  return definition;
}

/** The request's fields that the path names, in their order: `/v1/voices/{voice_id}` gives `['voice_id']`. */
export function pathFields(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, field]) => field ?? []);
}
