/** An event of the Wyoming protocol (docs/wyoming.md#events). */
export interface WyomingEvent {
  type: string;
  data: Readonly<Record<string, unknown>>;
  /** Bytes after the data, such as samples. */
  payload?: Uint8Array;
}

/** Version of the protocol that the service speaks, as in the events of the reference client. */
const VERSION = '1.8.0';

/** Returns the bytes of an event: one line of JSON, then the data as JSON, then the payload. */
export function encodeEvent({ type, data, payload }: WyomingEvent): Buffer {
  const json = Object.keys(data).length === 0 ? '' : JSON.stringify(data);
  const header = {
    type,
    version: VERSION,
    // Some clients fail if an event has no data at all.
    ...(json === '' ? { data } : { data_length: Buffer.byteLength(json) }),
    ...(payload !== undefined && { payload_length: payload.length }),
  };
  const text = Buffer.from(`${JSON.stringify(header)}\n${json}`);
  return payload === undefined ? text : Buffer.concat([text, payload]);
}
