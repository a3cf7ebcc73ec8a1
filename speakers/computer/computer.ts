/** The sound cards of this computer. */
import { SpeakerFault } from '../fault.js';
import type { Kind } from '../kind.js';
import { SoundCard } from './device.js';
import { installedPlayer, sinks } from './players.js';

export const computer: Kind = {
  takesSamples: true,
  delay: 300,
  async *find(signal) {
    for (const { name, description } of await sinks(signal)) yield { name: description, address: name };
  },
  async connect({ address }) {
    // The arguments of a program are separated by spaces: such a name could add one.
    if (/\s/.test(address))
      throw new SpeakerFault('speaker-unreachable', { problem: 'the name of a sound card has no spaces' });
    const player = installedPlayer();
    if (player === undefined) throw new SpeakerFault('speaker-no-player');
    return new SoundCard(player, address);
  },
};
