import { type Case, caseFinder, type Governors } from '../slavic-cases.js';
import { spellOut } from '../../spell-out.js';
import { russianOrdinal, type OrdinalForm } from './ordinals.js';

/** Words before a number with the case after them. Comparatives and nouns such as "течение" take the genitive. */
const GOVERNORS: Governors = {
  genitive:
    'с|со|из-за|из-под|от|ото|до|из|изо|у|без|для|около|после|кроме|вместо|среди|вокруг|против|свыше|накануне|порядка|более|менее|больше|меньше|выше|ниже|старше|младше|моложе|дольше|дальше|ближе|раньше|ранее|позже|позднее|течение|продолжение|протяжении|возрасте|размере|количестве|пределах|расстоянии',
  dative: 'к|ко|благодаря|навстречу|вопреки',
  accusative: 'на|за|по|через|про|спустя',
  instrumental: 'между|перед|передо|над',
  prepositional: 'в|во|о|об|обо|при',
};
/** Returns the case that the last word of a text demands. */
export const russianCaseAfter = caseFinder(GOVERNORS);

/** Returns the masculine or neuter form of an ordinal. */
export const formIn = (wanted: Case, nominative: 'masculine' | 'neuter'): OrdinalForm =>
  wanted === 'nominative' || wanted === 'accusative' ? nominative : wanted;

/** Returns the ordinal of a year. */
export const yearIn = (wanted: Case, year: number): string =>
  russianOrdinal(year, formIn(wanted, 'masculine')) ?? '';

/** Returns a cardinal before a noun in the plural, or in the singular after 1, 21 and so on. */
export const cardinalIn = (wanted: Case, value: number, gender: 'masculine' | 'feminine' = 'masculine') =>
  spellOut('ru', `%spellout-cardinal-${gender}-${wanted}`, value);

export const endsWithOne = (value: number): boolean => value % 10 === 1 && value % 100 !== 11;
