import { electronicOf, type Facts, slavicSeries } from '../language-of.js';
import { spellOut } from '../spell-out.js';

/** Frequent feminine nouns: "dwie osoby". Endings do not tell them from masculine ones, such as "dwa domy". */
const FEMININE =
  /^(?:osob|kobiet|godzin|minut|sekund|lamp|stron|dziewczyn|siostr|kamer|prób|map|zmian)[ay]$|^(?:książk|szklank|butelk|łyżk|łyżeczk|sztuk|córk|matk|żarówk|paczk|wtyczk|kropk|dróg|drog)[ai]$|^(?:wiadomoś(?:ć|ci)|noc|noce|rzeczy|[\p{Ll}]{2,}cj[ae]|ulic[ae]|rzecz)$/u;

/** Polish. */
export const polish: Facts = {
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
    seriesBefore: (word) => (FEMININE.test(word) ? 'feminine' : 'plain'),
  },
  units: { by: 'na' },
  money: {
    and: 'i',
    units: { PLN: { one: 'złoty', few: 'złote', many: 'złotych', other: 'złotego', series: 'masculine' } },
    cents: {
      EUR: { one: 'cent', few: 'centy', many: 'centów', other: 'centa', series: 'masculine' },
      PLN: { one: 'grosz', few: 'grosze', many: 'groszy', other: 'grosza', series: 'masculine' },
    },
  },
  dates: {
    date: ({ year, month, day }) =>
      `${genitive(day)} ${MONTHS[month - 1]}${year === undefined ? '' : ` ${genitive(year)} roku`}`,
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
  phones: { patterns: ['[1-9]\\d{2}[ -]\\d{3}[ -]\\d{3}'] },
};

const MONTHS =
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia'.split(
    ' ',
  );
const HUNDREDS =
  ' setnego dwusetnego trzechsetnego czterechsetnego pięćsetnego sześćsetnego siedemsetnego osiemsetnego dziewięćsetnego'.split(
    ' ',
  );
/** Only the last word is in the genitive. CLDR lacks round hundreds. */
function genitive(value: number): string {
  const [rest, hundreds] = [value % 100, value % 1000];
  const head = (part: number) =>
    value === part ? '' : `${spellOut('pl', '%spellout-numbering', value - part)} `;
  if (rest !== 0) return `${head(rest)}${spellOut('pl', '%spellout-ordinal-masculine-genitive', rest)}`;
  if (hundreds !== 0) return `${head(hundreds)}${HUNDREDS[hundreds / 100]}`;
  return value === 2000 ? 'dwutysięcznego' : 'tysięcznego';
}
