import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpeakerFault, unreachable } from '../fault.js';
import {
  type Before,
  type Device,
  type Grade,
  type Position,
  type Settings,
  type Sound,
  volumeFor,
} from '../kind.js';
import type { SnapcastControl } from './rpc.js';
import { type Group, statusIn, type TcpStream } from './status.js';

/** Milliseconds between two questions for the state. */
const POLL_MS = 200;
/** Seconds that a server plays behind its source, unless its settings change it. */
export const BUFFER = 1;
/** The line of `snapserver.conf` without which no program can feed a server. */
const SOURCE = 'source = tcp://0.0.0.0:4953?name=Herald&sampleformat=48000:16:2';

/** A group of Snapcast players. */
export class SnapcastGroup implements Device {
  private feed: Socket | undefined;

  /** @param id the id of the group; '' for the first one */
  constructor(
    private readonly control: SnapcastControl,
    private readonly host: string,
    private readonly id: string,
  ) {}

  async before(_sound: Sound, settings: Settings): Promise<Before> {
    const { group, stream } = await this.status();
    const volumes = group.clients.flatMap(({ id, volume }) => {
      const own = volumeFor(settings, volume);
      return own === undefined ? [] : [[`volume ${id}`, volume] as const, [`own ${id}`, own] as const];
    });
    return {
      group: group.id,
      announcing: stream.id,
      stream: group.stream,
      ...Object.fromEntries(volumes),
    };
  }

  async *play(
    sound: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    const { group, stream } = await this.status();
    if (!group.clients.some(({ isConnected }) => isConnected))
      throw new SpeakerFault('speaker-unreachable', { problem: 'no player of the group is connected' });
    const { data } = await sound.pcm({ sampleRate: stream.sampleRate, channels: stream.channels });
    const feed = await this.openFeed(stream.port);
    await settings.together();
    await this.setVolumes(group, ({ volume }) => volumeFor(settings, volume));
    await this.control.ask('Group.SetStream', { id: group.id, stream_id: stream.id });
    feed.end(data);
    const started = performance.now();
    let wasSilent = false;
    for (let seconds = 0; seconds < sound.duration + BUFFER;) {
      await sleep(POLL_MS, undefined, { signal });
      seconds = (performance.now() - started) / 1000;
      const now = (await this.status()).group;
      if (now.stream !== stream.id) throw new SpeakerFault('speaker-skipped', { seconds });
      if (!now.clients.some(({ isConnected }) => isConnected))
        throw new SpeakerFault('speaker-lost', { seconds, problem: 'no player of the group is connected' });
      wasSilent ||= isSilent(now);
      const warning = wasSilent ? 'speaker-silent' : undefined;
      yield { seconds: Math.max(0, Math.min(seconds - BUFFER, sound.duration)), isPaused: false, warning };
    }
    return wasSilent ? 'accepted' : 'streamed';
  }

  async restore(before: Before): Promise<void> {
    this.feed?.destroy();
    const { group } = await this.status();
    if (group.stream === before['announcing'] && before['stream'] !== before['announcing'])
      await this.control.ask('Group.SetStream', { id: group.id, stream_id: before['stream'] });
    await this.setVolumes(group, ({ id, volume }) => {
      const former = before[`volume ${id}`];
      return volume === before[`own ${id}`] && typeof former === 'number' ? former : undefined;
    });
  }

  close(): void {
    this.feed?.destroy();
    this.control.close();
  }

  /** Sets the volume of each player for which the function returns one. */
  private async setVolumes(
    { clients }: Group,
    volumeOf: (client: Group['clients'][number]) => number | undefined,
  ): Promise<void> {
    for (const client of clients) {
      const percent = volumeOf(client);
      if (percent === undefined || percent === client.volume) continue;
      await this.control.ask('Client.SetVolume', {
        id: client.id,
        volume: { percent, muted: client.isMuted },
      });
    }
  }

  private async openFeed(port: number): Promise<Socket> {
    const feed = connect({ host: this.host, port });
    this.feed = feed;
    await once(feed, 'connect').catch((error: unknown) => {
      throw unreachable(error);
    });
    // The players go on with what they have if the server ends the connection.
    feed.on('error', () => undefined);
    return feed;
  }

  private async status(): Promise<{ group: Group; stream: TcpStream }> {
    const { groups, streams } = statusIn(await this.control.ask('Server.GetStatus'));
    const group = this.id === '' ? groups[0] : groups.find(({ id }) => id === this.id);
    const [stream] = streams;
    if (group === undefined) throw new SpeakerFault('speaker-unreachable', { problem: 'the group is gone' });
    if (stream === undefined)
      throw new SpeakerFault('speaker-refused', {
        problem: `snapserver.conf needs the line "${SOURCE}" in the section [stream]`,
      });
    return { group, stream };
  }
}

/** Returns whether no connected player of a group can be heard. */
const isSilent = ({ isMuted, clients }: Group): boolean =>
  isMuted || clients.every((client) => !client.isConnected || client.isMuted || client.volume === 0);
