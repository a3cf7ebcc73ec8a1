/** Events of the Wyoming protocol, for both sides of a connection. */
export { encodeEvent, type WyomingEvent } from './event.js';
export { EventReader } from './event-reader.js';
export { ProtocolError } from './protocol-error.js';
