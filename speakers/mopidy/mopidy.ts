/** Players of Mopidy. */
import { services } from '@herald-speech/client/zeroconf';
import { withPort } from '../base/http.js';
import type { Kind } from '../kind.js';
import { PlaylistDevice } from '../playlist/playlist.js';
import { MopidyPlayer } from './player.js';

const PORT = 6680;

export const mopidy: Kind = {
  find: (signal) => services('mopidy-http', signal),
  async connect({ address }, signal) {
    const player = new MopidyPlayer(`http://${withPort(address, PORT)}`);
    signal.addEventListener('abort', player.close, { once: true });
    await player.core('get_version');
    return new PlaylistDevice(player);
  },
};
