/** The sound cards of this computer. */
import type { Kind } from '../kind.js';
import { SoundCard } from './device.js';
import { sinks } from './players.js';

export const computer: Kind = {
  async *find(signal) {
    for (const { name, description } of await sinks(signal)) yield { name: description, address: name };
  },
  connect: async ({ address }) => new SoundCard(address),
};
