/** The languages among which the script of a text decides. */
export interface TextLanguages {
  /** The language of the default voice. */
  usual: string;
  /** All languages with a voice, those of the settings first. */
  spoken: readonly string[];
}

/** Letters that only this language has, among the languages of its script. */
const OWN_LETTERS: Readonly<Record<string, RegExp>> = {
  uk: /[іїєґ]/i,
  // In Russian, the letter stands before these vowels only.
  bg: /ъ(?![еёюя])/i,
  sr: /[јљњђћџ]/i,
  kk: /[әғқңөұүһ]/i,
  fa: /[پچژگ]/,
};

/** Characters of the scripts that are made of others, by their name in `Intl`. */
const MIXED: Readonly<Record<string, string>> = {
  Jpan: '\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hani}',
  Kore: '\\p{sc=Hang}',
  Hans: '\\p{sc=Hani}',
  Hant: '\\p{sc=Hani}',
};
const LATIN = 'Latn';
/** Letters that a character of Japanese, Korean or Chinese stands for, because it is a syllable. */
const SYLLABLE = 3;

/**
 * Returns the language whose voice can read a text: the usual one, unless most letters of the text have another script. A usual
 * language with another script than Latin keeps a text with any of its letters, because such texts contain Latin names.
 */
export function languageOfText(text: string, { usual, spoken }: TextLanguages): string {
  const own = scriptOf(usual);
  const others = [...new Set(spoken.map(scriptOf))].filter((script) => script !== own);
  let [best, most] = [own, weightOf(text, own)];
  for (const script of most > 0 && own !== LATIN ? others.filter((other) => other !== LATIN) : others) {
    const weight = weightOf(text, script);
    if (weight > most) [best, most] = [script, weight];
  }
  return best === own ? usual : languageWith(best, text, spoken);
}

/** Returns the language with letters of its own in the text, or else the first one of the settings, or the usual one of the script. */
function languageWith(script: string, text: string, spoken: readonly string[]): string {
  const written = spoken.filter((language) => scriptOf(language) === script);
  const own = written.find((language) => OWN_LETTERS[language]?.test(text));
  return own ?? written[0] ?? likely(script);
}

/** Returns the languages in an order in which the usual language of a script comes before its other languages. */
export function byScript(languages: Iterable<string>): string[] {
  const all = [...new Set(languages)];
  const isLikely = (language: string) => language === likely(scriptOf(language));
  return [...all.filter(isLikely), ...all.filter((language) => !isLikely(language))];
}

/** Returns a function that remembers its results. There are few languages and scripts, and `Intl` takes a tenth of a millisecond. */
function remembered<Result>(find: (name: string) => Result): (name: string) => Result {
  const known = new Map<string, Result>();
  return (name) => {
    const result = known.get(name) ?? find(name);
    known.set(name, result);
    return result;
  };
}

/** Returns the script of a language, such as `Cyrl` (ISO 15924). */
const scriptOf = remembered((language) => new Intl.Locale(language).maximize().script ?? LATIN);

/** Returns the usual language of a script. */
const likely = remembered((script) => new Intl.Locale(`und-${script}`).maximize().language);

const patternOf = remembered((script) => new RegExp(`[${MIXED[script] ?? `\\p{sc=${script}}`}]`, 'gu'));

function weightOf(text: string, script: string): number {
  const count = text.match(patternOf(script))?.length ?? 0;
  return script in MIXED ? count * SYLLABLE : count;
}
