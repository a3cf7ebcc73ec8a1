import { spellOut } from '../spell-out.js';
import { type Case, caseFinder, dayListRule, yearRules } from './slavic-cases.js';

export const POLISH_MONTHS =
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia'.split(
    ' ',
  );

export const polishCaseAfter = caseFinder({
  genitive: 'od|do|z|ze|sprzed|około|bez|dla|oprócz|podczas|koło|powyżej|poniżej|spod|końca|początku',
  dative: 'ku|dzięki',
  accusative: 'na|przez',
  instrumental: 'przed|między|pomiędzy|nad',
  prepositional: 'w|we|o|po|przy',
});

const HUNDREDS =
  ' setn dwusetn trzechsetn czterechsetn pięćsetn sześćsetn siedemsetn osiemsetn dziewięćsetn'.split(' ');
/** The names of CLDR's rule sets, and the endings after "setn" and "tysięczn". */
const FORMS: Readonly<Record<Case, readonly [ruleSet: string, ending: string]>> = {
  nominative: ['masculine', 'y'],
  genitive: ['masculine-genitive', 'ego'],
  dative: ['masculine-dative', 'emu'],
  accusative: ['masculine', 'y'],
  instrumental: ['masculine-instrumental', 'ym'],
  prepositional: ['masculine-locative', 'ym'],
};

/** Returns a masculine ordinal up to 9,999. Only its last word, or tens and ones, has a case. CLDR lacks round hundreds. */
export function ordinalIn(wanted: Case, value: number): string {
  const [ruleSet, ending] = FORMS[wanted];
  const [rest, hundreds] = [value % 100, value % 1000];
  const head = (part: number) =>
    value === part ? '' : `${spellOut('pl', '%spellout-numbering', value - part)} `;
  if (rest !== 0) return `${head(rest)}${spellOut('pl', `%spellout-ordinal-${ruleSet}`, rest)}`;
  if (hundreds !== 0) return `${head(hundreds)}${HUNDREDS[hundreds / 100]}${ending}`;
  return `${value === 2000 ? 'dwu' : ''}tysięczn${ending}`;
}

/** A day is in the genitive, unless "po", "przed" or "na" is before it. */
export function dayCase(before: string): Case {
  const own = polishCaseAfter(before);
  if (own === 'prepositional' && !/(?<!\p{L})po $/iu.test(before)) return 'genitive';
  return own ?? 'genitive';
}

const YEARS: Readonly<Record<Case, string>> = {
  nominative: 'rok',
  genitive: 'roku',
  dative: 'rokowi',
  accusative: 'rok',
  instrumental: 'rokiem',
  prepositional: 'roku',
};

export const years = yearRules({
  caseAfter: polishCaseAfter,
  nouns: { rok: 'nominative', roku: 'genitive', rokiem: 'instrumental', rokowi: 'dative' },
  shared: 'roku',
  short: 'r.',
  noun: (wanted) => YEARS[wanted],
  year: ordinalIn,
});

export const days = dayListRule(POLISH_MONTHS, {
  caseAfter: polishCaseAfter,
  usual: dayCase,
  day: ordinalIn,
  range: (from, to) => `od ${ordinalIn('genitive', from)} do ${ordinalIn('genitive', to)}`,
});
