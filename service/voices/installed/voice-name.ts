import { NaturalVoiceError } from './errors.js';

/** A letter or digit, then letters, digits, `_` and `-`: safe as a file name. Some voices have names such as `tugão`. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,99}$/u;

/** File names that Windows reserves for devices. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

export const isVoiceName = (name: string): boolean => NAME.test(name) && !RESERVED.test(name);

/** Returns the name of a voice unchanged. @throws NaturalVoiceError `invalid` for a name that is not safe as a file name */
export function checkVoiceName(name: string): string {
  if (isVoiceName(name)) return name;
  const shown = JSON.stringify(name.slice(0, 100));
  const rule =
    'the name of a voice has 1 to 100 letters, digits, "_" and "-", for example de_DE-thorsten-medium';
  throw new NaturalVoiceError('invalid', `voice ${shown}: ${rule}`);
}

const CARD = 'MODEL_CARD';

/** The names of a voice's files (docs/natural-voices.md#downloads-and-files). */
export const fileNamesOf = (name: string) => ({
  model: `${name}.onnx`,
  config: `${name}.onnx.json`,
  card: CARD,
});

/** A relative path without `..`, of at most 10 names. `\` and `:` are separators on Windows. */
const PATH = /^(?!\.)[^/\\:\p{Cc}]{1,100}(?:\/(?!\.)[^/\\:\p{Cc}]{1,100}){0,9}$/u;

/**
 * Returns the names in a path of the voice repository, such as `de/de_DE/thorsten/medium/MODEL_CARD`.
 * @throws NaturalVoiceError `invalid` for an absolute path, for `..` and for names that begin with a dot
 */
export function namesInPath(path: string): string[] {
  if (PATH.test(path)) return path.split('/');
  const shown = JSON.stringify(path.slice(0, 100));
  const rule = 'expected a relative path without "..", "\\" and ":". Correct or refresh the catalogue';
  throw new NaturalVoiceError('invalid', `path ${shown}: ${rule}`);
}
