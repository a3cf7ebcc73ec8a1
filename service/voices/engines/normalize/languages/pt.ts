import type { Noun, Series } from '../language.js';
import { type Facts, noun } from '../language-of.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const cardinal = (value: number, series: Series = 'plain') =>
  withoutCommas(
    spellOut('pt', `%spellout-cardinal-${series === 'feminine' ? 'feminine' : 'masculine'}`, value),
  );
/** CLDR has a comma between millions and thousands. */
const withoutCommas = (words: string) => words.replaceAll(',', '');
const ordinal = (value: number, series: Series = 'masculine') =>
  spellOut('pt', `%spellout-ordinal-${series === 'feminine' ? 'feminine' : 'masculine'}`, value);
const centavos = noun('centavo', 'centavos');
const million = (one: string, other: string): Noun => noun(one, other);

/** Portuguese, with the forms of Brazil. */
export const facts: Facts = {
  code: 'pt',
  numbers: {
    equals: 'é igual a',
    minus: 'menos',
    plus: 'mais',
    mark: 'vírgula',
    to: 'a',
    dot: 'ponto',
    cardinal,
    ordinal,
    spacesThousands: true,
    year: (value) => cardinal(value),
    range: (from, to) => `${from} a ${to}`,
    seriesBefore: (word) =>
      /(?:as?|ções|dades|gem|gens|luz|luzes)$|^(?:vez(?:es)?|mulher(?:es)?|noites?|tardes?|partes?|voz(?:es)?|flor(?:es)?|chaves?|redes?|mãos?|fotos?|motos?)$/u.test(
        word,
      ) && !/^(?:a|as|da|das|na|nas|pela|para|mas|está|estava|era|.*dias?|.*mapas?)$/u.test(word)
        ? 'feminine'
        : 'plain',
  },
  units: {
    by: 'por',
    afterMillion: (name) => `de ${name}`,
    names: {
      kg: noun('quilo', 'quilos'),
      h: noun('hora', 'horas', 'feminine'),
      min: noun('minuto', 'minutos'),
      s: noun('segundo', 'segundos'),
      t: noun('tonelada', 'toneladas', 'feminine'),
    },
  },
  money: {
    and: 'e',
    units: {
      BRL: { one: 'real', other: 'reais', series: 'masculine' },
      EUR: noun('euro', 'euros'),
      USD: noun('dólar', 'dólares'),
      GBP: noun('libra', 'libras', 'feminine'),
      JPY: noun('iene', 'ienes'),
    },
    cents: { BRL: centavos, EUR: noun('centavo', 'centavos'), USD: centavos, GBP: noun('pêni', 'pence') },
    scales: {
      mil: 'mil',
      milhão: 'milhão',
      milhões: 'milhões',
      mi: million('milhão', 'milhões'),
      bilhão: 'bilhão',
      bilhões: 'bilhões',
      bi: million('bilhão', 'bilhões'),
      trilhões: 'trilhões',
    },
  },
  dates: {
    slash: {
      before:
        '[Dd]ia|[Aa]té|[Dd]ata|[Dd]e(?= \\d{1,2}/\\d{1,2} a \\d{1,2}/)|(?:[Ss]egunda|[Tt]erça|[Qq]uarta|[Qq]uinta|[Ss]exta)(?:-feira)?,?|[Ss]ábado,?|[Dd]omingo,?',
      beforeLate: '[Ee]m|[Dd]e|[Dd]esde|a|e|para',
      to: 'a|e',
      of: 'd(?:e|o|a|os|as)',
    },
    date: ({ year, month, day }) =>
      `${day === 1 ? 'primeiro' : cardinal(day)} de ${MONTHS[month - 1]}${year === undefined ? '' : ` de ${cardinal(year)}`}`,
    dayMonth: '(?:º|°)?(?: de)? ',
    monthYear: '(?: de)? ',
  },
  times: {
    time: ({ hour, minute, second, half }) => {
      const spokenHour = half === 'PM' && hour > 12 ? hour - 12 : hour;
      const hours = `${cardinal(spokenHour, 'feminine')} ${spokenHour === 1 ? 'hora' : 'horas'}`;
      if (second === 0) return minute === 0 ? hours : `${hours} e ${cardinal(minute)}`;
      return `${hours} e ${cardinal(minute)} ${minute === 1 ? 'minuto' : 'minutos'} e ${cardinal(second)} ${second === 1 ? 'segundo' : 'segundos'}`;
    },
    separator: 'h|\\.(?=[0-5]\\d(?![\\p{N}.,]| ?(?:%|°|mil|R\\$)))(?<=(?:^|[àa]s )\\d\\d?\\.)',
    suffix: '\\s?h(?:oras?|s)?(?!\\p{L})',
  },
  phones: {
    patterns: ['\\(\\d{2}\\) ?9?\\d{4}-\\d{4}', '\\d{2} 9?\\d{4}-\\d{4}', '9\\d{2} \\d{3} \\d{3}'],
    pause: ', ',
    digit: (digit) => cardinal(digit),
  },
  electronic: {
    signs: {
      '@': 'arroba',
      '.': 'ponto',
      '-': 'hífen',
      _: 'sublinhado',
      '/': 'barra',
      ':': 'dois pontos',
      '://': 'dois pontos barra barra',
    },
    words: {
      gmail: 'gmail',
      com: 'com',
      google: 'google',
      nvidia: 'nvidia',
      amazon: 'amazon',
      facebook: 'facebook',
      br: 'br',
      org: 'org',
      net: 'net',
    },
  },
  abbreviations: {
    'Sr.': 'senhor',
    'Sra.': 'senhora',
    'Dr.': 'doutor',
    'Dra.': 'doutora',
    'av.': 'avenida',
    'Av.': 'avenida',
    nº: 'número',
    Nº: 'número',
    'n°': 'número',
    'N°': 'número',
    'N.º': 'número',
    'n.º': 'número',
    'etc.': 'et cetera',
    'p. ex.': 'por exemplo',
    'tel.': 'telefone',
    'Tel.': 'telefone',
    'Prof.': 'professor',
    'Profa.': 'professora',
    'a.C.': 'antes de Cristo',
    'd.C.': 'depois de Cristo',
    'a. C.': 'antes de Cristo',
    'd. C.': 'depois de Cristo',
    '§': 'parágrafo',
  },
  roman: {
    before:
      'século|capítulo|Papa João Paulo|João Paulo|Dom Pedro|tomo|volume|ato|Luís|Henrique|Carlos|Filipe|Afonso|João|Manuel|Jorge|Eduardo|Bento|Pio|Leão|Paulo|Napoleão|Guilherme|Isabel|Maria|Catarina|Pedro',
    words: (value, before) =>
      value <= 10 && !/^(?:capítulo|volume)$/iu.test(before)
        ? ordinal(value, /^(?:Isabel|Maria|Catarina)$/u.test(before) ? 'feminine' : 'masculine')
        : cardinal(value),
  },
  signs: {
    and: 'e',
    pages: { before: '[Pp]ágina|[Pp]asso|[Aa]rquivo|[Pp]ergunta|[Pp]arte', of: 'de' },
    hashtag: 'hashtag',
    times: 'vezes',
    divided: 'dividido por',
    plusMinus: 'mais ou menos',
    by: 'por',
    score: 'a',
    codes: {
      before:
        '[Cc]ódigo(?: postal)?|CEP|PIN|[Ss]enha|[Nn]úmero d[eo] (?:cliente|série|conta|pedido|contrato|protocolo)|[Pp]rotocolo',
      link: 'é|era',
    },
    weekdays: {
      seg: 'segunda',
      ter: 'terça',
      qua: 'quarta',
      qui: 'quinta',
      sex: 'sexta',
      sáb: 'sábado',
      dom: 'domingo',
    },
    weekdayRange: 'a',
  },
  fraction: ({ whole, numerator, denominator }) => {
    const words = fractionWords(numerator, denominator);
    return whole === undefined || words === undefined ? words : `${cardinal(Number(whole))} e ${words}`;
  },
  forms: [
    // "1/2 litro" is "meio litro".
    {
      pattern: /(?<![\p{L}\p{N}.,/]|\p{N} )1\/2 (?=(?<noun>\p{Ll}{3,20})(?!\p{L}))/gu,
      words: ({ noun = '' }) => (noun.endsWith('a') ? 'meia ' : 'meio '),
    },
    {
      pattern: new RegExp(`${START}(?<value>\\d{1,4})\\.?(?<gender>[ºª])(?!\\s?[CF])${END}`, 'gu'),
      words: ({ value, gender }) =>
        Number(value) === 0 ? undefined : ordinal(Number(value), gender === 'ª' ? 'feminine' : 'masculine'),
    },
  ],
};

const MONTHS =
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ');

function fractionWords(numerator: number, denominator: number): string | undefined {
  if (denominator < 2) return undefined;
  const ending = numerator === 1 ? '' : 's';
  const count = cardinal(numerator);
  if (denominator === 2) return `${count} ${numerator === 1 ? 'meio' : 'meios'}`;
  if (denominator === 3) return `${count} terço${ending}`;
  const isNamed = denominator <= 10 || [100, 1000].includes(denominator);
  return isNamed ? `${count} ${ordinal(denominator)}${ending}` : `${count} ${cardinal(denominator)} avos`;
}
