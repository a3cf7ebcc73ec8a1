import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { NodeAPI } from 'node-red';

/** The arguments of a handler of Express. */
export interface Asked {
  request: Request;
  response: Response;
  next: NextFunction;
}

/**
 * Returns a function that answers a request. If `isNew`, it first asks for the permission `flows.write`, beside the permission of the
 * endpoint. A flow can read any path and reach any address, so only a user who may write flows may send one that no flow has
 * (docs/decisions/0025).
 */
export function flowsPermission(RED: NodeAPI) {
  const mayWriteFlows: RequestHandler = RED.auth.needsPermission('flows.write');
  return (isNew: boolean, { request, response, next }: Asked, answer: () => Promise<void>): void => {
    const proceed = (error?: unknown) => (error === undefined ? void answer() : next(error));
    if (isNew) void mayWriteFlows(request, response, proceed);
    else proceed();
  };
}

/**
 * Returns whether the user of a request may write flows. Node-RED has no such function: its handler calls `next`, or replies. The
 * handler gets a reply that sends nothing. The request must have passed a check of another permission before.
 */
export const mayWriteFlows = (RED: NodeAPI, { request, response }: Asked): Promise<boolean> =>
  new Promise((resolve) => {
    const silent: Response = Object.create(response, {
      status: { value: () => silent },
      end: { value: () => resolve(false) },
    });
    const mayWrite: RequestHandler = RED.auth.needsPermission('flows.write');
    void mayWrite(request, silent, (error?: unknown) => resolve(error === undefined));
  });
