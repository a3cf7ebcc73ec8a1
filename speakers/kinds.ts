/** All kinds of speakers. */
import { cast } from './cast/cast.js';
import { computer } from './computer/computer.js';
import { dlna } from './dlna/dlna.js';
import { homeAssistant } from './home-assistant/home-assistant.js';
import type { Kind } from './kind.js';
import { mopidy } from './mopidy/mopidy.js';
import { mpd } from './mpd/mpd.js';
import { snapcast } from './snapcast/snapcast.js';
import { sonos } from './sonos/sonos.js';

const kinds = {
  dlna,
  cast,
  sonos,
  snapcast,
  computer,
  'home-assistant': homeAssistant,
  mopidy,
  mpd,
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as readonly KindName[];

export const kindOf = (name: KindName): Kind => kinds[name];
