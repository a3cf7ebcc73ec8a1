import { statusNames } from '../kit/errors.js';
import { toServiceError } from '../http/reply.js';
import { ProtocolError, type WyomingEvent } from '@herald-speech/client/wyoming';

/** A failure as the client sees it. */
export interface WyomingFailure {
  /** A code of `ProtocolError`, or the name of an HTTP status such as `not-found` (docs/wyoming.md#errors). */
  code: string;
  text: string;
  /** Whether the log needs the cause, because the client gets no details. */
  isInternal: boolean;
}

/** Converts a thrown value to the failure that the client gets. */
export function wyomingFailure(thrown: unknown): WyomingFailure {
  if (thrown instanceof ProtocolError) return { code: thrown.code, text: thrown.message, isInternal: false };
  const { status, message } = toServiceError(thrown);
  const code = statusNames[status].toLowerCase().replaceAll(' ', '-');
  return { code, text: message, isInternal: status === 500 };
}

export function errorEvent({ code, text }: WyomingFailure): WyomingEvent {
  return { type: 'error', data: { text, code } };
}
