import type { EngineVoice } from '../engine.js';

/** A Flite voice with its pitch settings in hertz. */
export interface FliteVoice extends EngineVoice {
  /** Standard deviation of the pitch. */
  pitchDeviation: number;
  /** Targets outside these limits break the voice: Flite's vocoder falls to half the pitch, or the audio has gaps. */
  pitchLimits: { min: number; max: number };
  /** Whether the voice obeys Flite's pitch settings. If not, the pitch of its audio is changed afterwards. */
  obeysPitch: boolean;
}

/*
 * Measured once. `pitch` and `pitchDeviation`: the values of int_f0_target_mean and int_f0_target_stddev whose audio has
 * the pitch track closest to the audio without these settings (for kal and kal16 identical). For rms: median and standard
 * deviation of the voiced frames of its audio (`trackPitch`). `manner`: the result of `analyseSample` for three sentences.
 */
const PARAMETRIC = { pitchLimits: { min: 60, max: 400 }, obeysPitch: true };

/** The voices in the Flite package, the default voice first. Age and use cases describe the sound of the voice. */
export const fliteVoices: readonly FliteVoice[] = [
  {
    id: 'rms',
    name: 'Russell',
    description: 'A calm male voice of US English, the easiest to understand. Flite voice "rms".',
    age: 'middle-aged',
    gender: 'male',
    useCases: ['narration', 'announcement', 'audiobook', 'documentary'],
    languages: ['en'],
    locale: 'en-US',
    isNatural: true,
    pitch: 100,
    manner: { spread: 2.2, rate: 4.35 },
    pitchDeviation: 11,
    pitchLimits: { min: 50, max: 220 },
    obeysPitch: false,
  },
  {
    ...PARAMETRIC,
    id: 'slt',
    name: 'Selma',
    description: 'A clear female voice of US English, good for announcements. Flite voice "slt".',
    age: 'young-adult',
    gender: 'female',
    useCases: ['announcement', 'narration', 'audiobook'],
    languages: ['en'],
    locale: 'en-US',
    isNatural: true,
    pitch: 172,
    manner: { spread: 1.4, rate: 3.8 },
    pitchDeviation: 22,
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
    locale: 'en-GB',
    accent: 'Scottish English',
    isNatural: true,
    pitch: 132,
    manner: { spread: 1.7, rate: 4.5 },
    pitchDeviation: 22,
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
    locale: 'en-US',
    isNatural: false,
    pitch: 95,
    pitchDeviation: 11,
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
    locale: 'en-US',
    isNatural: false,
    pitch: 95,
    pitchDeviation: 11,
  },
];
