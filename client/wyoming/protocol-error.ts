/** Codes of the `error` events about a broken event (docs/wyoming.md#errors). */
export type ProtocolFailure =
  | 'line-too-long'
  | 'data-too-long'
  | 'payload-too-long'
  | 'invalid-utf-8'
  | 'invalid-json'
  | 'invalid-event';

/** An event that breaks the protocol. The start of the next event is unknown, so the connection must end. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';

  constructor(
    readonly code: ProtocolFailure,
    message: string,
  ) {
    super(message);
  }
}
