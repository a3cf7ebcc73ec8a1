import type { EngineVoice } from '../engine.js';

/** A Flite voice with what its melody is made of, in Hz. */
export interface FliteVoice extends EngineVoice {
  /** Spread of the pitch around `pitch`. */
  pitchSpread: number;
  /** Targets beyond these break the voice: Flite's own vocoder falls into half the pitch, or the sound tears. */
  pitchRange: { min: number; max: number };
  /** Whether Flite obeys pitch settings for this voice; rms ignores them, its melody is changed afterwards. */
  obeysPitch: boolean;
}

/*
 * `pitch` and `pitchSpread` were measured once: those values of int_f0_target_mean and int_f0_target_stddev whose
 * audio has the pitch track nearest to the audio without them (for kal and kal16 it is the same, bit for bit).
 * rms: median and standard deviation of the voiced frames of its own audio (`trackPitch`).
 * `manner` is what `analyseSample` says of three sentences of each.
 */
const PARAMETRIC = { pitchRange: { min: 60, max: 400 }, obeysPitch: true };

/** The voices that are built into the engine. Ages and use cases are how they sound, not who spoke them. */
export const fliteVoices: readonly FliteVoice[] = [
  {
    ...PARAMETRIC,
    id: 'slt',
    name: 'Selma',
    description: 'A clear female voice of US English, good for announcements. Flite voice "slt".',
    age: 'young-adult',
    gender: 'female',
    useCases: ['announcement', 'narration', 'audiobook'],
    languages: ['en'],
    isNatural: true,
    pitch: 172,
    manner: { spread: 1.4, rate: 3.8 },
    pitchSpread: 22,
  },
  {
    id: 'rms',
    name: 'Russell',
    description: 'A calm male voice of US English, the easiest to understand. Flite voice "rms".',
    age: 'middle-aged',
    gender: 'male',
    useCases: ['narration', 'announcement', 'audiobook', 'documentary'],
    languages: ['en'],
    isNatural: true,
    pitch: 100,
    manner: { spread: 2.2, rate: 4.35 },
    pitchSpread: 11,
    pitchRange: { min: 50, max: 220 },
    obeysPitch: false,
  },
  {
    ...PARAMETRIC,
    id: 'awb',
    name: 'Angus',
    description: 'A lively male voice of Scottish English. Flite voice "awb".',
    age: 'middle-aged',
    gender: 'male',
    useCases: ['storytelling', 'education', 'narration'],
    languages: ['en'],
    isNatural: true,
    pitch: 132,
    manner: { spread: 1.7, rate: 4.5 },
    pitchSpread: 22,
  },
  {
    ...PARAMETRIC,
    id: 'kal16',
    name: 'Calvin',
    description: 'An even, robotic male voice of US English at 16 kHz. Flite voice "kal16".',
    age: 'middle-aged',
    gender: 'male',
    useCases: ['game', 'announcement'],
    languages: ['en'],
    isNatural: false,
    pitch: 95,
    pitchSpread: 11,
  },
  {
    ...PARAMETRIC,
    id: 'kal',
    name: 'Calvin on the phone',
    description: 'The robotic male voice of US English at the 8 kHz of a telephone. Flite voice "kal".',
    age: 'middle-aged',
    gender: 'male',
    useCases: ['announcement', 'game', 'meme'],
    languages: ['en'],
    isNatural: false,
    pitch: 95,
    pitchSpread: 11,
  },
];
