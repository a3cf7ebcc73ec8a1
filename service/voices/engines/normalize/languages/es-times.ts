import type { ClockTime } from '../language.js';
import { spanishCardinal, plainNumber } from './es-numbers.js';

/** Quarters of an hour on the clock of twelve hours. */
const QUARTERS: Readonly<Record<number, string>> = { 15: 'cuarto', 30: 'media' };

/** The part of the day of a time with a.m. or p.m. */
function partOfDay(hour: number, half: ClockTime['half']): string {
  if (half === undefined) return '';
  if (half === 'AM') return hour === 12 ? ' de la noche' : ' de la mañana';
  if (hour === 12) return ' del mediodía';
  return hour % 12 >= 8 ? ' de la noche' : ' de la tarde';
}

export function clockTime({ hour, minute, second, half }: ClockTime): string {
  const hours = spanishCardinal(hour, 'feminine');
  if (second !== 0 && half === undefined)
    return [
      `${hours} ${hour === 1 ? 'hora' : 'horas'}`,
      ...(minute === 0
        ? []
        : [`${spanishCardinal(minute, 'masculine')} ${minute === 1 ? 'minuto' : 'minutos'}`]),
      `y ${spanishCardinal(second, 'masculine')} ${second === 1 ? 'segundo' : 'segundos'}`,
    ].join(' ');
  const isTwelveHours = hour >= 1 && hour <= 12;
  const seconds =
    second === 0
      ? ''
      : ` con ${spanishCardinal(second, 'masculine')} ${second === 1 ? 'segundo' : 'segundos'}`;
  const quarter = isTwelveHours && second === 0 ? QUARTERS[minute] : undefined;
  const minutes =
    minute === 0 && second === 0 ? (isTwelveHours ? '' : ' horas') : ` y ${quarter ?? plainNumber(minute)}`;
  return `${hours}${minutes}${seconds}${partOfDay(hour, half)}`;
}
