import type { EngineVoice } from '../engine.js';
import type { VariantName } from './variants.js';

/** A voice with eSpeak's name: language and variant, such as `de+woman`. */
export interface EspeakVoice extends EngineVoice {
  espeakName: string;
}

type Character = Pick<EngineVoice, 'age' | 'gender' | 'useCases' | 'pitch'>;

/** Descriptions of the three variants. `pitch`: median of `trackPitch` for one sentence of each language. */
const characters: Readonly<Record<VariantName, Character>> = {
  woman: {
    age: 'young-adult',
    gender: 'female',
    useCases: ['announcement', 'narration', 'education'],
    pitch: 195,
  },
  man: {
    age: 'middle-aged',
    gender: 'male',
    useCases: ['narration', 'announcement', 'documentary'],
    pitch: 106,
  },
  child: { age: 'child', gender: 'female', useCases: ['game', 'storytelling', 'meme'], pitch: 273 },
};

/** eSpeak's name of each language, its BCP 47 tag, and common first names of its speakers. */
const languages: ReadonlyArray<
  readonly [espeak: string, tag: string, woman: string, man: string, child: string]
> = [
  ['en', 'en-GB', 'Emily', 'Oliver', 'Poppy'],
  ['en-us', 'en-US', 'Madison', 'Jason', 'Hailey'],
  ['ko', 'ko', 'Minji', 'Junho', 'Haeun'],
  ['ja', 'ja', 'Yuki', 'Haruto', 'Sakura'],
  ['ar', 'ar', 'Layla', 'Omar', 'Noor'],
  ['bg', 'bg', 'Desislava', 'Georgi', 'Raya'],
  ['cs', 'cs', 'Tereza', 'Jakub', 'Anežka'],
  ['da', 'da', 'Freja', 'Mikkel', 'Alberte'],
  ['de', 'de', 'Anna', 'Lukas', 'Mia'],
  ['el', 'el', 'Eleni', 'Nikos', 'Danae'],
  ['es', 'es-ES', 'Lucía', 'Javier', 'Carmen'],
  ['es-419', 'es-419', 'Valentina', 'Diego', 'Ximena'],
  ['et', 'et', 'Liis', 'Rasmus', 'Lenna'],
  ['fi', 'fi', 'Aino', 'Eero', 'Helmi'],
  ['fr', 'fr', 'Camille', 'Julien', 'Chloé'],
  ['hi', 'hi', 'Priya', 'Arjun', 'Anaya'],
  ['hr', 'hr', 'Ivana', 'Luka', 'Mila'],
  ['hu', 'hu', 'Zsófia', 'Bence', 'Hanna'],
  ['id', 'id', 'Dewi', 'Budi', 'Putri'],
  ['it', 'it', 'Giulia', 'Matteo', 'Ginevra'],
  ['lt', 'lt', 'Ieva', 'Mantas', 'Liepa'],
  ['lv', 'lv', 'Līga', 'Jānis', 'Elza'],
  ['nl', 'nl', 'Sanne', 'Daan', 'Saar'],
  ['pl', 'pl', 'Katarzyna', 'Piotr', 'Zuzanna'],
  ['pt', 'pt-PT', 'Inês', 'Tiago', 'Matilde'],
  ['pt-br', 'pt-BR', 'Juliana', 'Rafael', 'Sofia'],
  ['ro', 'ro', 'Ioana', 'Andrei', 'Ilinca'],
  ['ru', 'ru', 'Olga', 'Dmitri', 'Dasha'],
  ['sk', 'sk', 'Zuzana', 'Martin', 'Nela'],
  ['sl', 'sl', 'Maja', 'Matej', 'Zala'],
  ['sv', 'sv', 'Elsa', 'Erik', 'Alva'],
  ['tr', 'tr', 'Zeynep', 'Mehmet', 'Defne'],
  ['uk', 'uk', 'Oksana', 'Taras', 'Solomiia'],
  ['vi', 'vi', 'Linh', 'Minh', 'Ngọc'],
];

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** Three voices for each language and accent, in the order of the list. */
export const espeakVoices: readonly EspeakVoice[] = languages.flatMap(([espeak, tag, woman, man, child]) => [
  voiceOf('woman', woman, espeak, tag),
  voiceOf('man', man, espeak, tag),
  voiceOf('child', child, espeak, tag),
]);

function voiceOf(variant: VariantName, name: string, espeak: string, tag: string): EspeakVoice {
  const language = tag.slice(0, 2);
  return {
    ...characters[variant],
    id: `${language}-${plain(name)}`,
    name,
    description: `A synthetic voice of eSpeak NG for ${languageNames.of(tag) ?? tag}: clear, quick and robotic, like a ${variant}.`,
    languages: [language],
    ...(tag !== language && { locale: tag }),
    isNatural: false,
    espeakName: `${espeak}+${variant}`,
  };
}

/** Converts a name to lower case and removes accents. */
function plain(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
