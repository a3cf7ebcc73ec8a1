/** A word for each plural form that `Intl.PluralRules` distinguishes in the language. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Words for the degree sign after a number, which eSpeak omits in these languages. */
const DEGREES: Readonly<Record<string, Forms>> = {
  ar: { one: 'درجة', few: 'درجات', other: 'درجة' },
  bg: { one: 'градус', other: 'градуса' },
  da: { one: 'grad', other: 'grader' },
  el: { one: 'βαθμός', other: 'βαθμοί' },
  et: { one: 'kraad', other: 'kraadi' },
  fi: { one: 'aste', other: 'astetta' },
  hi: { other: 'डिग्री' },
  id: { other: 'derajat' },
  ko: { other: '도' },
  ru: { one: 'градус', few: 'градуса', many: 'градусов', other: 'градуса' },
  sl: { one: 'stopinja', two: 'stopinji', few: 'stopinje', other: 'stopinj' },
  sv: { one: 'grad', other: 'grader' },
  uk: { one: 'градус', few: 'градуси', many: 'градусів', other: 'градуса' },
  vi: { other: 'độ' },
};
/** Words for "-" before a number, which eSpeak omits in these languages. */
const MINUS: Readonly<Record<string, string>> = {
  ar: 'سالب ',
  bg: 'минус ',
  da: 'minus ',
  es: 'menos ',
  fr: 'moins ',
  hi: 'माइनस ',
  ko: '마이너스 ',
  pl: 'minus ',
  ru: 'минус ',
  sk: 'mínus ',
  sl: 'minus ',
  tr: 'eksi ',
};
/** Words for "%" after a number. In other languages, eSpeak has the word. */
const PERCENT: Readonly<Record<string, string>> = { ar: 'بالمئة', ko: '퍼센트' };
/** Letters and signs of a language that eSpeak spells, and their replacements. */
const SPELLED: Readonly<Record<string, ReadonlyArray<readonly [pattern: RegExp, words: string]>>> = {
  ar: [
    [/(?<=\p{Nd})٫(?=\p{Nd})/gu, '.'],
    [/(?<=\p{Nd})٬(?=\p{Nd})/gu, ''],
    [/ڤ/gu, 'ف'],
    [/چ/gu, 'تش'],
  ],
  ko: [[/₩\s?(\d[\d,]*)/gu, '$1원']],
};

const DEGREE = /(?<!\p{Nd})(\p{Nd}+(?:[.,]\p{Nd}+)?)\s?°(?:\s?C(?!\p{L}))?/gu;

/**
 * Replaces signs at numbers by words if eSpeak omits them or speaks them in English.
 * @param text In the form of `toUsualForm`.
 * @param language Two-letter code, not Japanese.
 */
export function withSignWords(text: string, language: string): string {
  const spelled = (SPELLED[language] ?? []).reduce((text, [sign, words]) => text.replace(sign, words), text);
  const percent = PERCENT[language];
  return withDegrees(spelled, language)
    .replace(/(?<![\p{L}\p{Nd}])[-−](?=\p{Nd})/gu, MINUS[language] ?? '-')
    .replace(/(?<=\p{Nd})\s?[%٪]/gu, (sign) => (percent === undefined ? sign : ` ${percent}`));
}

function withDegrees(text: string, language: string): string {
  const forms = DEGREES[language];
  if (forms === undefined) return text;
  const rules = new Intl.PluralRules(language);
  return text.replace(DEGREE, (_, number: string) => {
    const form = rules.select(Number(number.replace(',', '.')));
    return `${number} ${forms[form] ?? forms.other}`;
  });
}
