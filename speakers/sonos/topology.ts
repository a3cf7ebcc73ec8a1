/** The groups of a Sonos house (service ZoneGroupTopology). */
import { isIPv4 } from 'node:net';
import { networks } from '@herald-speech/client/zeroconf';
import { tagsIn } from '../base/xml.js';

/** Maximum number of players of a house, and of characters of a name. Sonos allows 32 players. */
const MAX = { players: 64, name: 80 } as const;

/** A player of Sonos: a room, or one of two that play in stereo. */
interface Player {
  /** Such as `RINCON_000E58A0B1C201400`. */
  id: string;
  /** The name of the room. */
  name: string | undefined;
  /** The URL of its description. */
  location: string;
  /** Whether people see it as a speaker. Others are parts of one. */
  isVisible: boolean;
}

/** Players that play the same. The coordinator takes the commands for all. */
export interface SonosGroup {
  coordinator: string;
  players: Player[];
}

/** Reads the groups. Leaves out players outside of the network of the asked player. */
export function groupsIn(state: string, asked: string): SonosGroup[] {
  const groups: SonosGroup[] = [];
  for (const { name, values } of tagsIn(state, ['ZoneGroup', 'ZoneGroupMember']).slice(0, MAX.players * 2)) {
    const value = (key: string) => values.get(key) ?? '';
    if (name === 'ZoneGroup') {
      groups.push({ coordinator: value('Coordinator'), players: [] });
    } else if (isNear(value('Location'), asked)) {
      groups.at(-1)?.players.push({
        id: value('UUID').slice(0, MAX.name),
        name: value('ZoneName').slice(0, MAX.name) || undefined,
        location: value('Location'),
        isVisible: value('Invisible') !== '1',
      });
    }
  }
  return groups;
}

/**
 * Returns whether a player can name the URL of another player: at its own host, or at the same port of its network. The URL must not
 * lead to a server on the internet or to this computer. All players of a house are in one network.
 */
function isNear(location: string, asked: string): boolean {
  if (!URL.canParse(location)) return false;
  const [{ protocol, hostname, port }, own] = [new URL(location), new URL(asked)];
  if (protocol !== 'http:') return false;
  if (hostname === own.hostname) return true;
  const half = (address: string) => address.split('.').slice(0, 2).join('.');
  return (
    isIPv4(hostname) &&
    port === own.port &&
    half(hostname) === half(own.hostname) &&
    networks().every(({ address }) => address !== hostname)
  );
}
