/** The default model of a speech request (docs/interface.md#models). */
export const DEFAULT_MODEL = 'main_speech_1';

/** The voice settings with their defaults and ranges (docs/interface.md#voice-settings). */
export const voiceSettings = {
  pitch_shift: { default: 0, min: -24, max: 24 },
  pitch_variance: { default: 1, min: 0, max: 2 },
  speed: { default: 1, min: 0.5, max: 2 },
  duration: { default: 0, min: 0, max: 60 },
  similarity: { default: 3, min: 1, max: 5 },
  text_guidance: { default: 1, min: 0, max: 4 },
  subharmonic_amplitude_control: { default: 1, min: 0, max: 2 },
} as const;

/** Seconds: the longest `duration` of a text of any length, which several requests share. */
const LONGEST_SPEECH = 86_400;

/** The ranges of `voiceSettings` for a text of any length. */
export const longVoiceSettings = {
  ...voiceSettings,
  duration: { ...voiceSettings.duration, max: LONGEST_SPEECH },
};

/** The defaults of the other fields of a speech request (docs/interface.md#utterance). */
export const fieldDefaults = { output_format: 'wav', include_phonemes: false } as const;

export type VoiceSetting = keyof typeof voiceSettings;

/** Whether the local service follows a voice setting. It checks the others, but they have no effect. */
const isLocal = {
  pitch_shift: true,
  pitch_variance: true,
  speed: true,
  duration: true,
  similarity: false,
  text_guidance: false,
  subharmonic_amplitude_control: false,
} as const satisfies Readonly<Record<VoiceSetting, boolean>>;

/** A voice setting that the local service follows. */
export type LocalSetting = {
  [Setting in VoiceSetting]: (typeof isLocal)[Setting] extends true ? Setting : never;
}[VoiceSetting];

/** A model's capabilities. */
export interface Model {
  /** ISO 639-1 codes. */
  languages: readonly string[];
  /** Voice settings that the model follows; it ignores the others. */
  settings: readonly VoiceSetting[];
  /** Whether `streamSpeech` accepts the model. */
  streams: boolean;
  /** Whether the model reads `normalized_text` in place of `text`; otherwise it ignores the field. */
  normalizes: boolean;
}

const LANGUAGES_31 =
  'en ko ja ar bg cs da de el es et fi fr hi hr hu id it lt lv nl pl pt ro ru sk sl sv tr uk vi'.split(' ');
const LANGUAGES_23 = 'en ko ja bg cs da el es et fi hu it nl pl pt ro ar de fr hi id ru vi'.split(' ');

const settingNames = Object.keys(voiceSettings).filter(isVoiceSetting);

function isVoiceSetting(name: string): name is VoiceSetting {
  return Object.hasOwn(voiceSettings, name);
}

/** The voice settings that the local service follows. */
export const localSettings: readonly LocalSetting[] = settingNames.filter(
  (setting): setting is LocalSetting => isLocal[setting],
);

const settingsWithout = (...missing: readonly VoiceSetting[]) =>
  settingNames.filter((setting) => !missing.includes(setting));

/** The documented models (docs/interface.md#models). The client also sends the name of any other model. */
export const models: Readonly<Record<string, Model>> = {
  main_speech_1: {
    languages: ['en', 'ko', 'ja'],
    settings: settingNames,
    streams: true,
    normalizes: false,
  },
  main_speech_2: {
    languages: LANGUAGES_23,
    settings: settingsWithout('subharmonic_amplitude_control'),
    streams: false,
    normalizes: true,
  },
  main_speech_2_flash: {
    languages: LANGUAGES_23,
    settings: ['pitch_shift', 'pitch_variance', 'speed', 'duration'],
    streams: false,
    normalizes: true,
  },
  compact_api_1: {
    languages: ['en', 'ko', 'ja', 'es', 'pt'],
    settings: ['speed'],
    streams: false,
    normalizes: false,
  },
  compact_api_3: { languages: LANGUAGES_31, settings: ['speed'], streams: false, normalizes: false },
};
