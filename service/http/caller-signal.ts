import type { ServerResponse } from 'node:http';
import { ServiceError } from '../kit/errors.js';

/** Returns a signal that aborts when the caller hangs up or the service closes, so that synthesis stops. */
export function callerSignal(outgoing: ServerResponse, closing: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const close = () => controller.abort(closing.reason);
  closing.addEventListener('abort', close, { once: true });
  outgoing.once('close', () => {
    closing.removeEventListener('abort', close);
    controller.abort(new ServiceError(408, 'the caller hung up'));
  });
  if (closing.aborted) close();
  return controller.signal;
}
