import { unless } from '../fault.js';
import { type Before, type Settings, volumeFor } from '../kind.js';
import type { Act } from '../upnp/control.js';

const MASTER = { Channel: 'Master' } as const;

/** The volume and the mute of a player (UPnP RenderingControl 1.0). */
export interface Knob {
  id: string;
  isChosen: boolean;
  act: Act;
}

/** The volumes of the players of a group. A player that does not answer, or has a fixed volume, changes nothing for the others. */
export class Volumes {
  /** The volumes of an announcement in percent by player. */
  private readonly own = new Map<string, number>();

  constructor(private readonly knobs: readonly Knob[]) {}

  /** Decides on the volumes of an announcement. Returns them and the present ones as values of `Before`. */
  async plan(settings: Settings): Promise<Before> {
    const before: Record<string, number> = {};
    await Promise.allSettled(
      this.knobs.map(async ({ id, act }) => {
        const volume = Number(await volumeOf(act));
        const own = volumeFor(settings, volume);
        if (own === undefined) return;
        this.own.set(id, Math.round(own));
        before[`volume ${id}`] = volume;
        before[`own ${id}`] = Math.round(own);
      }),
    );
    return before;
  }

  /** Sets the volumes of the announcement. */
  async set(): Promise<void> {
    await Promise.allSettled(
      this.knobs.map(async ({ id, act }) => {
        const own = this.own.get(id);
        if (own !== undefined) await setVolume(act, own);
      }),
    );
  }

  /** Sets the volumes of before. A volume that a user changed meanwhile stays. */
  async restore(before: Before): Promise<void> {
    await Promise.allSettled(
      this.knobs.map(async ({ id, act }) => {
        const former = before[`volume ${id}`];
        if (typeof former === 'number' && Number(await volumeOf(act)) === before[`own ${id}`])
          await setVolume(act, former);
      }),
    );
  }

  /** Returns whether the chosen player is mute or at volume 0. */
  async isSilent(): Promise<boolean> {
    const knob = this.knobs.find(({ isChosen }) => isChosen);
    if (knob === undefined) return false;
    const [mute, volume] = await Promise.all([
      knob.act('GetMute', MASTER).catch(unless('speaker-refused')),
      volumeOf(knob.act).catch(unless('speaker-refused')),
    ]);
    return mute?.('CurrentMute') === '1' || volume === '0';
  }
}

const volumeOf = async (act: Act): Promise<string> => (await act('GetVolume', MASTER))('CurrentVolume');

const setVolume = (act: Act, percent: number) =>
  act('SetVolume', { ...MASTER, DesiredVolume: String(percent) });
