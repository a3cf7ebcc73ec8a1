import { electronicOf, type Facts, slavicSeries } from '../language-of.js';
import { spellOut } from '../spell-out.js';
import { polishAbbreviations, polishForms, polishNames, polishRoman } from './pl-words.js';
import { dayCase, POLISH_MONTHS, ordinalIn } from './pl-cases.js';

/** Frequent feminine nouns: "dwie osoby". Endings do not tell them from masculine ones, such as "dwa domy". */
const FEMININE =
  /^(?:osob|kobiet|godzin|minut|sekund|lamp|stron|dziewczyn|siostr|kamer|prób|map|zmian)[ay]$|^(?:książk|szklank|butelk|łyżk|łyżeczk|sztuk|córk|matk|żarówk|paczk|wtyczk|kropk|dróg|drog)[ai]$|^(?:wiadomoś(?:ć|ci)|noc|noce|rzeczy|[\p{Ll}]{2,}cj[ae]|ulic[ae]|rzecz)$/u;

/** Polish. */
export const facts: Facts = {
  code: 'pl',
  numbers: {
    pointMarksOrdinals: true,
    minus: 'minus',
    plus: 'plus',
    mark: 'przecinek',
    to: 'do',
    dot: 'kropka',
    equals: 'równa się',
    range: (from, until) => `${from}–${until}`,
    ordinalBefore: slavicSeries,
    // CLDR has two forms of a year, and none of 2000.
    year: (value) => spellOut('pl', '%spellout-numbering', value),
    seriesBefore: (word) => (FEMININE.test(word) ? 'feminine' : 'plain'),
  },
  units: { by: 'na' },
  money: {
    and: 'i',
    units: { PLN: { one: 'złoty', few: 'złote', many: 'złotych', other: 'złotego', series: 'masculine' } },
    scales: {
      'tys.': { one: 'tysiąc', few: 'tysiące', many: 'tysięcy', other: 'tysiąca', series: 'masculine' },
      tys: { one: 'tysiąc', few: 'tysiące', many: 'tysięcy', other: 'tysiąca', series: 'masculine' },
      mln: { one: 'milion', few: 'miliony', many: 'milionów', other: 'miliona', series: 'masculine' },
      mld: { one: 'miliard', few: 'miliardy', many: 'miliardów', other: 'miliarda', series: 'masculine' },
    },
    cents: {
      EUR: { one: 'cent', few: 'centy', many: 'centów', other: 'centa', series: 'masculine' },
      PLN: { one: 'grosz', few: 'grosze', many: 'groszy', other: 'grosza', series: 'masculine' },
    },
  },
  dates: {
    date: ({ year, month, day }, before) =>
      `${ordinalIn(dayCase(before), day)} ${POLISH_MONTHS[month - 1]}${year === undefined ? '' : ` ${ordinalIn('genitive', year)} roku`}`,
    shortDates: true,
    dayMonth: ' ',
    yearWord: ' ?(?:roku|r\\.)',
  },
  electronic: electronicOf('małpa|kropka|myślnik|podkreślnik|ukośnik|dwukropek'),
  signs: {
    and: 'i',
    hashtag: 'hasztag',
    times: 'razy',
    divided: 'podzielić na',
    plusMinus: 'plus minus',
    by: 'na',
    score: 'do',
  },
  abbreviations: polishAbbreviations,
  names: polishNames,
  roman: polishRoman,
  forms: polishForms,
  phones: { patterns: ['[1-9]\\d{2}[ -]\\d{3}[ -]\\d{3}'] },
};
