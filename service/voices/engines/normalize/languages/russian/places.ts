import { START } from '../../numerals.js';
import type { NormalizationRule } from '../../rule.js';
import { russianCaseAfter, endsWithOne, formIn } from './cases.js';
import { russianOrdinal, type OrdinalForm } from './ordinals.js';

/** Nouns that take an ordinal in the singular, such as "этаж", by declension: stems and endings in the order of `FORMS`. */
const DECLENSIONS: ReadonlyArray<readonly [stems: string, endings: string, gender: keyof typeof FORMS]> = [
  [
    'этаж подъезд квартал класс курс тур сезон раздел пункт том раунд матч разряд район округ этап корпус терминал автобус маршрут кабинет зал урок период экзамен тайм сет заезд век ряд вагон выход вход съезд километр цех блок канал номер шаг вопрос билет абзац параграф месяц',
    '- а у ом е',
    'masculine',
  ],
  ['уров', 'ень ня ню нем не', 'masculine'],
  ['трамва', 'й я ю ем е', 'masculine'],
  ['д', 'ень - ню нём не', 'masculine'],
  ['мест числ окн', 'о а у ом е', 'neuter'],
  ['отделени поколени издани чтени', 'е я ю ем и', 'neuter'],
  [
    'групп комнат палат школ больниц страниц платформ смен глав квартир полос лиг касс трасс',
    'а ы е у ой',
    'feminine',
  ],
  ['кнопк строк колонк остановк попытк парт дорожк', 'а и е у ой', 'feminine'],
  ['лини сери станци категори позици стади секци аудитори', 'я и и ю ей', 'feminine'],
  ['недел', 'я и е ю ей', 'feminine'],
  ['част очеред степен ступен двер', 'ь и и ь ью', 'feminine'],
];
const FORMS = {
  masculine: ['masculine', 'genitive', 'dative', 'instrumental', 'prepositional'],
  neuter: ['neuter', 'genitive', 'dative', 'instrumental', 'prepositional'],
  feminine: ['feminine', 'feminine-oblique', 'feminine-oblique', 'feminine-accusative', 'feminine-oblique'],
} as const satisfies Record<string, readonly OrdinalForm[]>;

const NOUNS = new Map<string, OrdinalForm>();
/** Forms that could be a plural or the counted form: "3 этажа", "2 серии". */
const ALSO_COUNTED = new Set<string>();
for (const [stems, endings, gender] of DECLENSIONS)
  for (const stem of stems.split(' '))
    for (const [at, ending] of endings.split(' ').entries()) {
      const form = FORMS[gender][at];
      if (ending === '-' && at > 0) continue;
      const word = `${stem}${ending.replace('-', '')}`;
      if (form !== undefined && !NOUNS.has(word)) NOUNS.set(word, form);
      if (at === 1) ALSO_COUNTED.add(word);
    }
/** "1 этаж" is the first one, "1 комната" is one. */
const RARELY_COUNTED = /^(?:этаж|подъезд|квартал|класс|курс|тур|сезон|век|уровень|терминал|корпус)$/u;

function isOrdinal(value: number, noun: string, form: OrdinalForm, before: string): boolean {
  const own = russianCaseAfter(before);
  if (ALSO_COUNTED.has(noun)) return own !== undefined && own !== 'accusative';
  const couldBeOne =
    form === 'masculine' || form === 'neuter' || form === 'feminine' || form.endsWith('tive');
  return (
    form === 'dative' ||
    form === 'prepositional' ||
    !couldBeOne ||
    !endsWithOne(value) ||
    RARELY_COUNTED.test(noun)
  );
}

/** Nouns with one form for several cases: "в 3 часу", "к 3 часу"; "с 3 пути", "на 3 пути". */
const IRREGULAR = new Set(['часу', 'пути']);

/** After "на", these forms are the prepositional. */
function irregularForm(before: string): OrdinalForm {
  const own = russianCaseAfter(before) ?? 'prepositional';
  return formIn(own === 'accusative' ? 'prepositional' : own, 'masculine');
}

/** The rule for numbers of places, times and parts: "на 5 этаже", "до 3 подъезда", "1 числа". */
export const placeForm: NormalizationRule = {
  pattern: new RegExp(
    `${START}(?<value>[1-9]\\d{0,2}) (?<noun>\\p{Ll}{3,12})(?!\\p{L})(?=(?<next> \\d{1,3}(?!\\d))?)`,
    'gu',
  ),
  words: ({ value = '', noun = '', next }, before) => {
    const form = IRREGULAR.has(noun) ? irregularForm(before) : NOUNS.get(noun);
    // "кв. 5 подъезд 2": the numbers follow their nouns.
    if (next !== undefined && /^(?:masculine|neuter|feminine)$/u.test(form ?? '')) return undefined;
    if (form === undefined || !isOrdinal(Number(value), noun, form, before)) return undefined;
    return `${russianOrdinal(Number(value), form)} ${noun}`;
  },
};
