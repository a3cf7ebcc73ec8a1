import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Operation } from '@herald-speech/client/interface';
import type { z } from 'zod';
import type { SpeechCall } from '../speech/speech-call.js';

/** The environment of the router: Node's objects of the request and the reply. */
export interface OnNode {
  Bindings: HttpBindings;
}

/** The context of a call. Handlers get it beside the request. */
export interface Call extends SpeechCall {
  /** Scheme, host and port in the address that the caller used. */
  origin: string;
  /** Node's response, for features that `Response` lacks, such as trailers. */
  outgoing: ServerResponse;
}

/** Reads and validates the request of an operation. */
type ReadRequest = <Request extends z.ZodObject>(operation: Operation<Request>) => Promise<z.output<Request>>;

/** An operation with its handler. */
export interface OperationRoute {
  operation: Operation;
  answer(read: ReadRequest, call: Call): Promise<Response>;
}

/** Returns a route whose handler creates the whole reply. */
export function answer<Request extends z.ZodObject, Response_ extends z.ZodType>(
  operation: Operation<Request, Response_>,
  handle: (request: z.output<Request>, call: Call) => Promise<Response>,
): OperationRoute {
  return { operation, answer: async (read, call) => handle(await read(operation), call) };
}

/** Returns a route whose handler returns the JSON body of the reply, in the shape of the response schema. */
export function reply<Request extends z.ZodObject, Body extends z.ZodType>(
  operation: Operation<Request, Body>,
  handle: (request: z.output<Request>, call: Call) => z.input<Body> | Promise<z.input<Body>>,
): OperationRoute {
  return answer(operation, async (request, call) => Response.json(await handle(request, call)));
}
