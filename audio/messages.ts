/** Rules of the audio settings in English, with keys for translations. */
import { type Say, textsOf } from '@herald-speech/client/interface';

/** The messages by key. `{name}` stands for a value (nodes/locales/runtime.json has the translations). */
export const audioMessages = {
  'rule-format': 'expected "unchanged", a preset such as {presets}, or a format such as {formats}',
  'rule-format-rate': 'expected one of the sample rates {rates} Hz',
  'rule-format-bitrate': 'expected one of the bit rates {bitrates} kbit/s at {rate} Hz',
  'rule-repeats': 'expected a whole number from 1 to {max}',
  'rule-chime': 'expected {chimes}, or a Buffer with a WAV or MP3 file',
  'rule-chime-audio': 'expected a WAV or MP3 file with sound: {problem}',
  'rule-chime-long': 'expected at most {seconds} s of audio',
} as const;

/** Fills in a message of this package. */
export const ruleText: Say<typeof audioMessages> = textsOf(audioMessages);
