/**
 * Players of Sonos that follow the descriptions of their services strictly: an unknown action, a wrong or missing argument, or an
 * action in a wrong state is refused with the error of the service, and noted. They play files of the network by the clock.
 */
import { createServer, type Server } from 'node:http';
import { escaped } from '../../../speakers/base/xml.js';
import { close, listen } from '../net/fault-server.js';
import { SonosPlayer } from './sonos-player.js';
import { actionIn, faultFor, services } from './sonos-services.js';

export interface SonosHouse {
  players: SonosPlayer[];
  /** The mistakes of controllers. */
  mistakes: string[];
  /** The number of requests by their path. */
  requests: Map<string, number>;
  /** Makes all players one group, which the first one leads. */
  group(): void;
  /** Returns the address of a player. */
  address(index?: number): string;
  /** Replaces the description of the groups. */
  setTopology(xml: string): void;
  kill(index: number): Promise<void>;
  /** Keeps the connections of a player, or of all, and does not answer any more: a power cut. */
  freeze(index?: number): void;
  /** Lets all players answer again. */
  thaw(): void;
}

/**
 * Runs `work` with players: `Kitchen`, `Hall` and so on.
 * @param options with `isPlain`, they are DLNA renderers without groups
 */
export async function withSonosHouse(
  work: (house: SonosHouse) => Promise<void>,
  names: readonly string[] = ['Kitchen'],
  { isPlain = false } = {},
): Promise<void> {
  const house = new House(names, isPlain);
  await house.open();
  try {
    await work(house);
    const { mistakes } = house;
    if (mistakes.length > 0) throw new Error(`wrong commands: ${mistakes.join('; ')}`);
  } finally {
    await house.close();
  }
}

class House implements SonosHouse {
  readonly players: SonosPlayer[];
  readonly mistakes: string[] = [];
  readonly requests = new Map<string, number>();
  private readonly servers: Server[];
  private ports: number[] = [];
  private topology: string | undefined;
  private readonly frozen = new Set<SonosPlayer>();

  constructor(
    names: readonly string[],
    private readonly isPlain: boolean,
  ) {
    this.players = names.map((name, index) => new SonosPlayer(`RINCON_00000000000${index}01400`, name));
    this.servers = this.players.map((player) =>
      createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          if (this.frozen.has(player)) return;
          const path = request.url ?? '';
          this.requests.set(path, (this.requests.get(path) ?? 0) + 1);
          const action = String(request.headers['soapaction'] ?? '');
          const { status, body } = this.reply(player, path, action, Buffer.concat(chunks).toString());
          response.writeHead(status, { 'Content-Type': 'text/xml; charset="utf-8"' }).end(body);
        });
      }),
    );
  }

  async open(): Promise<void> {
    this.ports = await Promise.all(this.servers.map((server) => listen(server)));
  }

  async close(): Promise<void> {
    for (const player of this.players) player.end();
    await Promise.all(this.servers.map((_server, index) => this.kill(index)));
  }

  address = (index = 0) => `127.0.0.1:${this.ports[index]}`;

  group = () => {
    const [leader, ...others] = this.players;
    if (leader !== undefined) for (const other of others) other.leader = leader;
  };

  setTopology = (xml: string) => {
    this.topology = xml;
  };

  kill = async (index: number) => {
    const server = this.servers[index];
    this.players[index]?.end();
    if (server?.listening !== true) return;
    server.closeAllConnections();
    await close(server);
  };

  freeze = (index?: number) => {
    for (const [at, player] of this.players.entries())
      if (index === undefined || index === at) this.frozen.add(player);
  };

  thaw = () => this.frozen.clear();

  private reply(
    player: SonosPlayer,
    path: string,
    header: string,
    body: string,
  ): { status: number; body: string } {
    if (path === '/xml/device_description.xml')
      return { status: 200, body: descriptionOf(player, !this.isPlain) };
    const service = services.find(({ control }) => control === path);
    if (service === undefined) return { status: 404, body: '' };
    const action = actionIn(service, header, body);
    if (typeof action === 'number') return this.refuse(action, header);
    if (action.name === 'GetZoneGroupState')
      return done(service.type, action.name, { ZoneGroupState: this.topology ?? this.zones() });
    const result = player.run(action.name, action.values);
    return typeof result === 'number' ? this.refuse(result, header) : done(service.type, action.name, result);
  }

  private refuse(code: number, action: string): { status: number; body: string } {
    // A controller cannot know that a stream refuses a seek, or that another program controls the player.
    if (![701, 711, 804].includes(code)) this.mistakes.push(`${code} ${action}`);
    return { status: 500, body: faultFor(code) };
  }

  private zones(): string {
    const groups = this.players.filter(({ leader }) => leader === undefined);
    const member = (player: SonosPlayer) => {
      const location = `http://${this.address(this.players.indexOf(player))}/xml/device_description.xml`;
      return `<ZoneGroupMember UUID="${player.id}" Location="${location}" ZoneName="${escaped(player.name)}" Icon="" Configuration="1"${player.isVisible ? '' : ' Invisible="1"'}/>`;
    };
    const zones = groups.map((leader) => {
      const members = this.players.filter((player) => player === leader || player.leader === leader);
      return `<ZoneGroup Coordinator="${leader.id}" ID="${leader.id}:1">${members.map(member).join('')}</ZoneGroup>`;
    });
    return `<ZoneGroupState><ZoneGroups>${zones.join('')}</ZoneGroups><VanishedDevices></VanishedDevices></ZoneGroupState>`;
  }
}

function descriptionOf({ id, name }: SonosPlayer, hasGroups: boolean): string {
  const service = (names: readonly string[]) =>
    services
      .filter(({ name }) => names.includes(name))
      .map(
        ({ name, type, control }) =>
          `<service><serviceType>${type}</serviceType><serviceId>urn:upnp-org:serviceId:${name}</serviceId><controlURL>${control}</controlURL></service>`,
      )
      .join('');
  return `<?xml version="1.0" encoding="utf-8" ?><root xmlns="urn:schemas-upnp-org:device-1-0"><device><deviceType>urn:schemas-upnp-org:device:ZonePlayer:1</deviceType><friendlyName>127.0.0.1 - Sonos One - ${id}</friendlyName><manufacturer>Sonos, Inc.</manufacturer><modelName>Sonos One</modelName><UDN>uuid:${id}</UDN><roomName>${escaped(name)}</roomName><serviceList>${service(hasGroups ? ['ZoneGroupTopology'] : [])}</serviceList><deviceList><device><deviceType>urn:schemas-upnp-org:device:MediaRenderer:1</deviceType><friendlyName>${escaped(name)}</friendlyName><UDN>uuid:${id}_MR</UDN><serviceList>${service(['RenderingControl', 'AVTransport'])}</serviceList></device></deviceList></device></root>`;
}

const done = (type: string, action: string, values: Readonly<Record<string, string>>) => ({
  status: 200,
  body: `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><u:${action}Response xmlns:u="${type}">${Object.entries(
    values,
  )
    .map(([name, value]) => `<${name}>${escapedAsSonos(value)}</${name}>`)
    .join('')}</u:${action}Response></s:Body></s:Envelope>`,
});

/** A player writes names of entities. */
const escapedAsSonos = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
