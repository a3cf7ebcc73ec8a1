/** Players of Sonos. A player in a group plays with its group. */
import { limitedTo } from '@herald-speech/client/abort';
import { withPort } from '../base/http.js';
import { SpeakerFault, unreachable } from '../fault.js';
import type { FoundSpeaker, Kind } from '../kind.js';
import { actionsOf } from '../upnp/control.js';
import { describeRenderer, type Renderer, type DeviceService } from '../upnp/description.js';
import { locations } from '../upnp/search.js';
import { Transport } from '../upnp/transport.js';
import { type Parts, SonosDevice } from './device.js';
import { type SonosGroup, groupsIn } from './topology.js';
import { Volumes } from './volumes.js';

const PORT = 1400;
const DESCRIPTION = '/xml/device_description.xml';
/** Milliseconds for which a player of a group may take to answer. One without power must not stop the others. */
const MEMBER_MS = 1000;

export const sonos: Kind = {
  unit: 1,
  async *find(signal) {
    for await (const location of locations('ZonePlayer', signal)) {
      const found = await foundAt(location, signal).catch(() => undefined);
      if (found !== undefined) yield found;
    }
  },
  async connect({ address }, signal) {
    const location = address.startsWith('http:') ? address : locationOf(address);
    if (!URL.canParse(location)) throw unreachable(new Error(`"${address}" is not a valid address`));
    const renderer = await describeRenderer(location, signal);
    return new SonosDevice(partsOf(renderer, await groupOf(renderer, location, signal), signal));
  },
};

const locationOf = (address: string): string => `http://${withPort(address, PORT)}${DESCRIPTION}`;

/** Returns a player that people see as a speaker. */
async function foundAt(location: string, signal: AbortSignal): Promise<FoundSpeaker | undefined> {
  const renderer = await describeRenderer(location, signal);
  const id = idOf(renderer);
  const { players } = await groupOf(renderer, location, signal);
  const player = players.find((one) => one.id === id);
  if (player?.isVisible !== true) return undefined;
  const { name = renderer.name } = player;
  return { name, address: new URL(location).host, id, model: renderer.model };
}

/** Asks a player for its group. @throws SpeakerFault */
async function groupOf(renderer: Renderer, location: string, signal: AbortSignal): Promise<SonosGroup> {
  if (renderer.topology === undefined) throw unreachable(new Error('no Sonos player at this address'));
  const act = actionsOf(renderer.topology, () => signal, {});
  const state = (await act('GetZoneGroupState'))('ZoneGroupState');
  const id = idOf(renderer);
  const group = groupsIn(state, location).find(({ players }) => players.some((player) => player.id === id));
  if (group === undefined) throw unreachable(new Error('it does not name its own group'));
  return group;
}

/** @throws SpeakerFault `speaker-unreachable` if the group is led by a player that was left out */
function partsOf(renderer: Renderer, { coordinator, players }: SonosGroup, signal: AbortSignal): Parts {
  const leader = players.find(({ id }) => id === coordinator);
  if (leader === undefined)
    throw new SpeakerFault('speaker-unreachable', { problem: 'its group is led from another network' });
  const id = idOf(renderer);
  const { transport, rendering } = renderer;
  let current = signal;
  const ofMember = () => limitedTo(MEMBER_MS, current);
  const members = players.filter((player) => player.isVisible || player.id === id);
  return {
    coordinator,
    transport: new Transport(actionsOf(serviceAt(leader.location, transport), () => current)),
    volumes: new Volumes(
      rendering === undefined
        ? []
        : members.map((player) => ({
            isChosen: player.id === id,
            id: player.id,
            act: actionsOf(serviceAt(player.location, rendering), ofMember),
          })),
    ),
    use: (signal) => (current = signal),
  };
}

/** All players have the same paths. */
const serviceAt = (location: string, { control, type }: DeviceService): DeviceService => ({
  control: new URL(new URL(control).pathname, location).href,
  type,
});

const idOf = ({ udn }: Renderer): string => udn.replace(/^uuid:/, '');
