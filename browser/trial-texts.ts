/** Sample sentences of "Try it" and of custom voices, one for each language that a listed model speaks. */
import { withoutRegion } from './languages.js';

const texts: Readonly<Record<string, string>> = {
  en: 'Hello! This is how I sound.',
  ko: '안녕하세요! 제 목소리는 이렇습니다.',
  // Kana only: some engines cannot read kanji.
  ja: 'こんにちは。これが わたしの こえです。',
  ar: 'مرحبا! هكذا يبدو صوتي.',
  bg: 'Здравейте! Така звучи гласът ми.',
  cs: 'Dobrý den! Takhle zní můj hlas.',
  da: 'Hej! Sådan lyder min stemme.',
  de: 'Hallo! So klingt meine Stimme.',
  el: 'Γεια σας! Έτσι ακούγεται η φωνή μου.',
  es: '¡Hola! Así suena mi voz.',
  et: 'Tere! Nii kõlab minu hääl.',
  fi: 'Hei! Tältä ääneni kuulostaa.',
  fr: 'Bonjour ! Voici ma voix.',
  hi: 'नमस्ते! मेरी आवाज़ ऐसी है।',
  hr: 'Dobar dan! Ovako zvuči moj glas.',
  hu: 'Jó napot! Így szól a hangom.',
  id: 'Halo! Seperti inilah suara saya.',
  it: 'Ciao! Questa è la mia voce.',
  lt: 'Laba diena! Taip skamba mano balsas.',
  lv: 'Labdien! Tā skan mana balss.',
  nl: 'Hallo! Zo klinkt mijn stem.',
  pl: 'Dzień dobry! Tak brzmi mój głos.',
  pt: 'Olá! É assim que soa a minha voz.',
  ro: 'Bună ziua! Așa sună vocea mea.',
  ru: 'Здравствуйте! Так звучит мой голос.',
  sk: 'Dobrý deň! Takto znie môj hlas.',
  sl: 'Dober dan! Tako zveni moj glas.',
  sv: 'Hej! Så här låter min röst.',
  tr: 'Merhaba! Sesim böyle.',
  uk: 'Вітаю! Так звучить мій голос.',
  vi: 'Xin chào! Giọng của tôi là như thế này.',
};

/** The language if neither the node nor the account has one, as in the client. */
export const TRIAL_LANGUAGE = 'en';

/** Returns a sentence and its language, without a region. Any other language returns the English sentence. */
export function trialText(tag: string): { language: string; text: string } {
  const language = withoutRegion(tag);
  const known = Object.hasOwn(texts, language) ? language : TRIAL_LANGUAGE;
  return { language: known, text: texts[known] ?? '' };
}
