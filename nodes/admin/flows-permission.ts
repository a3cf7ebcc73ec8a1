import type { NextFunction, Request, Response } from 'express';
import type { NodeAPI } from 'node-red';

/**
 * Returns a middleware that asks for the permission `flows.write`, beside the permission of the endpoint. A flow can read any
 * path and reach any address, so only a user who may write flows may send one that no flow has (docs/decisions/0117).
 * @param isNeeded whether a request body has such a path or address
 */
export function flowsPermission(RED: NodeAPI, isNeeded: (body: unknown) => boolean) {
  const mayWriteFlows = RED.auth.needsPermission('flows.write');
  return (request: Request, response: Response, next: NextFunction): void => {
    if (isNeeded(request.body)) mayWriteFlows(request, response, next);
    else next();
  };
}
