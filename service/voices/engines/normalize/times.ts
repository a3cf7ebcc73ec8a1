import type { ClockTime, Language } from './language.js';
import type { Groups, NormalizationRule } from './rule.js';

const START = '(?=\\d)(?<![\\p{Script=Latin}\\p{N}_@#/\\\\.+]|\\p{N}[-:]|(?<![mM]),)';
/** Time zones that may follow a time without a space. */
const ZONE = '[ECMP][SD]?T|[ecmp][sd]t|GMT|UTC|CES?T|BST';
const END = "(?!\\s?min(?!\\p{L})|[\\p{Script=Latin}\\p{N}_@#/\\\\]|[-.,:'’]\\p{N}|:[\\p{L}\\p{N}])";

/** "p.m." and its other spellings. A full stop that ends a sentence is not part of it. */
export const HALF_OF_DAY = `\\s?(?<half>[apAP])\\.?[mM](?![\\p{L}\\p{N}])(?:\\.(?!\\s+(?!(?:${ZONE})(?!\\p{L}))\\p{Lu}|\\s*$))?`;

/** Returns the rule for times of day and ranges of them, from 0:00 to 24:00, with or without seconds. */
export function timeRule({ times, numbers }: Language): NormalizationRule {
  const separator = times.separator === undefined ? ':' : `(?::|${times.separator})`;
  const time = (name: string) =>
    `(?<${name}Hour>[01]?\\d|2[0-4])${separator}(?<${name}Minute>[0-5]\\d)(?::(?<${name}Second>[0-5]\\d))?`;
  const suffix = times.suffix ?? HALF_OF_DAY;
  const pattern = `${START}${time('from')}(?:\\s?[-–—~〜～]\\s?${time('to')})?(?:${suffix})?(?:(?<=[apAP]\\.?[mM])(?=,\\d)|(?<glued>(?=(?:${ZONE})(?!\\p{L})))|${END})`;
  return {
    pattern: new RegExp(pattern, 'gu'),
    words: (groups) => {
      const [from, to] = [toTime(groups, 'from'), toTime(groups, 'to')];
      const gap = groups['glued'] === undefined ? '' : ' ';
      if (from === undefined || groups['toHour'] === undefined) return from && `${times.time(from)}${gap}`;
      return to && `${numbers.range(times.time({ ...from, half: undefined }), times.time(to))}${gap}`;
    },
  };
}

/** Returns undefined if the text has no such time. 24:30 is half an hour after midnight. */
function toTime(groups: Groups, name: string): ClockTime | undefined {
  const [hour, minute, second] = ['Hour', 'Minute', 'Second'].map((part) =>
    Number(groups[`${name}${part}`] ?? 0),
  );
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  return { hour, minute, second, half: halfOf(groups['half']) };
}

/** Returns the half of the day for a letter of "a.m." or "p.m.". */
export function halfOf(letter: string | undefined): ClockTime['half'] {
  if (letter === undefined) return undefined;
  return letter.toLowerCase() === 'a' ? 'AM' : 'PM';
}
