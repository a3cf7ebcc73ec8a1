/** The text of a voice's sample, by language. Contains all languages of the model `compact_api_3`. */
const greetings: Readonly<Record<string, (name: string) => string>> = {
  en: (name) => `Hello, I am ${name}. This is how I sound.`,
  ko: (name) => `안녕하세요, 저는 ${name}입니다. 제 목소리는 이렇습니다.`,
  ja: (name) => `こんにちは、${name} です。これが わたしの こえです。`,
  ar: (name) => `مرحبا، أنا ${name}. هكذا يبدو صوتي.`,
  bg: (name) => `Здравейте, аз съм ${name}. Така звучи гласът ми.`,
  cs: (name) => `Dobrý den, jmenuji se ${name}. Takhle zní můj hlas.`,
  da: (name) => `Hej, jeg hedder ${name}. Sådan lyder min stemme.`,
  de: (name) => `Hallo, ich bin ${name}. So klingt meine Stimme.`,
  el: (name) => `Γεια σας, είμαι ${name}. Έτσι ακούγεται η φωνή μου.`,
  es: (name) => `Hola, me llamo ${name}. Así suena mi voz.`,
  et: (name) => `Tere, minu nimi on ${name}. Nii kõlab minu hääl.`,
  fi: (name) => `Hei, minä olen ${name}. Tältä ääneni kuulostaa.`,
  fr: (name) => `Bonjour, je m'appelle ${name}. Voici ma voix.`,
  hi: (name) => `नमस्ते, मेरा नाम ${name} है। मेरी आवाज़ ऐसी है।`,
  hr: (name) => `Dobar dan, ja sam ${name}. Ovako zvuči moj glas.`,
  hu: (name) => `Jó napot, ${name} vagyok. Így szól a hangom.`,
  id: (name) => `Halo, nama saya ${name}. Seperti inilah suara saya.`,
  it: (name) => `Ciao, sono ${name}. Questa è la mia voce.`,
  lt: (name) => `Laba diena, aš esu ${name}. Taip skamba mano balsas.`,
  lv: (name) => `Labdien, es esmu ${name}. Tā skan mana balss.`,
  nl: (name) => `Hallo, ik ben ${name}. Zo klinkt mijn stem.`,
  pl: (name) => `Dzień dobry, mam na imię ${name}. Tak brzmi mój głos.`,
  pt: (name) => `Olá, eu sou ${name}. É assim que soa a minha voz.`,
  ro: (name) => `Bună ziua, eu sunt ${name}. Așa sună vocea mea.`,
  ru: (name) => `Здравствуйте, меня зовут ${name}. Так звучит мой голос.`,
  sk: (name) => `Dobrý deň, volám sa ${name}. Takto znie môj hlas.`,
  sl: (name) => `Dober dan, jaz sem ${name}. Tako zveni moj glas.`,
  sv: (name) => `Hej, jag heter ${name}. Så här låter min röst.`,
  tr: (name) => `Merhaba, ben ${name}. Sesim böyle.`,
  uk: (name) => `Вітаю, мене звати ${name}. Так звучить мій голос.`,
  vi: (name) => `Xin chào, tôi là ${name}. Giọng của tôi là như thế này.`,
};

/** Returns the text of a sample: one or two sentences, or only the name if the language has no text. */
export function greeting(language: string, name: string): string {
  return greetings[language]?.(name) ?? name;
}
