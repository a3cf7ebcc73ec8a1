/** All kinds of speakers. A kind loads when it is first used. */
import type * as CastModule from './cast/cast.js';
import type * as ComputerModule from './computer/computer.js';
import type * as DlnaModule from './dlna/dlna.js';
import type * as HomeAssistantModule from './home-assistant/home-assistant.js';
import type { Kind } from './kind.js';
import type * as MopidyModule from './mopidy/mopidy.js';
import type * as MpdModule from './mpd/mpd.js';
import type * as SnapcastModule from './snapcast/snapcast.js';
import type * as SonosModule from './sonos/sonos.js';

const kinds = {
  dlna: (): Kind => (require('./dlna/dlna.js') as typeof DlnaModule).dlna,
  cast: (): Kind => (require('./cast/cast.js') as typeof CastModule).cast,
  sonos: (): Kind => (require('./sonos/sonos.js') as typeof SonosModule).sonos,
  snapcast: (): Kind => (require('./snapcast/snapcast.js') as typeof SnapcastModule).snapcast,
  computer: (): Kind => (require('./computer/computer.js') as typeof ComputerModule).computer,
  'home-assistant': (): Kind =>
    (require('./home-assistant/home-assistant.js') as typeof HomeAssistantModule).homeAssistant,
  mopidy: (): Kind => (require('./mopidy/mopidy.js') as typeof MopidyModule).mopidy,
  mpd: (): Kind => (require('./mpd/mpd.js') as typeof MpdModule).mpd,
} as const satisfies Record<string, () => Kind>;

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as readonly KindName[];

export const kindOf = (name: KindName): Kind => kinds[name]();
