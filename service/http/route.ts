import type { ServerResponse } from 'node:http';
import type { Operation } from '@herald-speech/client/interface';
import type { z } from 'zod';
import type { Caller } from '../accounts/keys.js';

/** What a handler may need of the call besides the request itself. */
export interface Call {
  /** Scheme, host and port that the caller reached the service by. */
  origin: string;
  caller: Caller;
  /** Aborts when the caller hangs up, and when the service closes. */
  signal: AbortSignal;
  /** For a reply that the web's Response can't give, such as one with trailers. */
  outgoing: ServerResponse;
}

/** Gives the request of an operation: read and checked. */
export type ReadRequest = <Request extends z.ZodObject>(
  operation: Operation<Request>,
) => Promise<z.output<Request>>;

/** An operation together with what answers it. */
export interface Route {
  operation: Operation;
  answer(read: ReadRequest, call: Call): Promise<Response>;
}

/** Answers an operation with a reply of the handler's own making. */
export function answer<Request extends z.ZodObject, Response_ extends z.ZodType>(
  operation: Operation<Request, Response_>,
  handle: (request: z.output<Request>, call: Call) => Promise<Response>,
): Route {
  return { operation, answer: async (read, call) => handle(await read(operation), call) };
}

/** Answers an operation with JSON in the shape of its response schema. */
export function reply<Request extends z.ZodObject, Body extends z.ZodType>(
  operation: Operation<Request, Body>,
  handle: (request: z.output<Request>, call: Call) => z.input<Body> | Promise<z.input<Body>>,
): Route {
  return answer(operation, async (request, call) => Response.json(await handle(request, call)));
}
