/** Players of MPD, such as Volumio and moOde. */
import { services } from '@herald-speech/client/zeroconf';
import type { Kind } from '../kind.js';
import { MpdConnection } from './connection.js';
import { PlaylistDevice } from '../playlist/playlist.js';
import { MpdPlayer } from './player.js';

export const mpd: Kind = {
  // MPD 0.23 misses a command within a millisecond after another one. It then answers no client until it has played its buffer.
  answersLate: true,
  find: (signal) => services('mpd', signal),
  connect: async (place, signal) =>
    new PlaylistDevice(new MpdPlayer(await MpdConnection.open(place, signal))),
};
