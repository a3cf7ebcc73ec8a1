import { text } from '@herald-speech/client/interface';
import { ruleText } from '../messages.js';
import { OptionError } from '../option-error.js';
import { checkChime } from './chime.js';
import { type Dressing, dressingRanges, noDressing } from './dressing.js';

type NumberName = keyof typeof dressingRanges;

/**
 * Checks a dressing before any speech is requested. Missing fields get the values of `noDressing`.
 * @throws OptionError for a number outside `dressingRanges`, and for a chime as `checkChime` does
 */
export function checkDressing(dressing: Partial<Record<keyof Dressing, unknown>>): Dressing {
  const { chime, loudness } = dressing;
  return {
    silenceBefore: numberIn(dressing, 'silenceBefore'),
    silenceAfter: numberIn(dressing, 'silenceAfter'),
    gap: numberIn(dressing, 'gap'),
    repeat: repeats(numberIn(dressing, 'repeat')),
    volume: numberIn(dressing, 'volume'),
    ...(loudness !== undefined && { loudness: numberIn(dressing, 'loudness') }),
    ...(chime !== undefined && { chime: checkChime(chime) }),
  };
}

function numberIn(dressing: Partial<Record<NumberName, unknown>>, name: NumberName): number {
  const fallback = name === 'loudness' ? undefined : noDressing[name];
  const value = dressing[name] ?? fallback;
  const { min, max } = dressingRanges[name];
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw new OptionError(name, value, text('rule-between', { min, max }));
}

function repeats(value: number): number {
  if (Number.isInteger(value)) return value;
  throw new OptionError('repeat', value, ruleText('rule-repeats', { max: dressingRanges.repeat.max }));
}
