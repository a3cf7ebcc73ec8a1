/** Google Cast devices and their groups. A group has its own port at one of its devices. */
import { services } from '@herald-speech/client/zeroconf';
import { socketOf } from '../base/socket-address.js';
import { fieldOf, textOf } from '../base/values.js';
import type { FoundSpeaker, Kind } from '../kind.js';
import { CastChannel } from './channel.js';
import { CastDevice } from './device.js';
import { CastState } from './status.js';

const PORT = 8009;
/** Maximum length of a name in UTF-16 code units. */
const MAX_NAME = 80;

export const cast: Kind = {
  find: (signal) => services('googlecast', signal, describedBy),
  async connect({ address }, signal) {
    const { host, port } = socketOf(address, PORT);
    const state = new CastState();
    const channel = await CastChannel.open(host, port, (message) => state.take(message), signal);
    return new CastDevice(channel, state);
  },
};

/** Reads the TXT record of a device. The name of its service is made for computers. */
export function describedBy(record: unknown): Partial<FoundSpeaker> {
  const [name, id, model] = ['fn', 'id', 'md'].map((key) => textOf(fieldOf(record, key)).slice(0, MAX_NAME));
  return { ...(name && { name }), ...(id && { id }), ...(model && { model }) };
}
