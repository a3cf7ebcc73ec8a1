export { announce, type Announcement, type Journal, type Played, restoreLater } from './announce/announce.js';
export { Barrier } from './announce/barrier.js';
export { SpeakerFault, warningText } from './fault.js';
export type { Before, FoundSpeaker, Grade, Kind, Place, Settings, Sound, Warning } from './kind.js';
export { type KindName, kindNames, kindOf } from './kinds.js';
