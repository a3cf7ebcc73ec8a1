import { lazy, rule, z } from '@herald-speech/client';
import { say } from '../runtime/messages.js';
import { choiceProperty, numberProperty, objectProperty, type Property } from './property.js';

/** The effects of an announcement on the music of its speakers. */
const MUSIC = ['pause', 'lower', 'replace'] as const;
/** The time at which a message with the output `speaker` leaves. */
const TIMES = ['ended', 'started'] as const;
/** Maximum number of speakers of an announcement. */
const MAX_SPEAKERS = 32;

const name = () => z.string().trim().min(1);

/** The request fields of the output `speaker`. */
export const speakerFields = lazy(() => ({
  /** Names or ids of speakers. A text may have several with commas between them. Blank: the only speaker. */
  speakers: z
    .union([name().transform((given) => [given]), z.array(name()).max(MAX_SPEAKERS)], {
      error: rule(say('rule-speakers')),
    })
    .optional(),
  /** Percent of the full volume of the speakers. Blank: as they are set. */
  volume: z.number().min(0).max(100).optional(),
  music: z.enum(MUSIC).default('pause'),
  speaker_when: z.enum(TIMES).default('ended'),
}));

const place = { section: 'output', onlyFor: { output: ['speaker'] }, isScoped: true } as const;

/** The node properties of the output `speaker`. */
export const speakerProperties = {
  speakers: objectProperty('volume-up', { ...place, alias: 'speaker', nodes: 'herald-speaker' }),
  volume: numberProperty('sliders', place),
  music: choiceProperty('music', MUSIC, { ...place, value: 'pause', more: true }),
  speaker_when: choiceProperty('clock-o', TIMES, { ...place, value: 'ended', more: true }),
} satisfies Record<string, Property>;
