/** Describes natural voices in the language of the editor. */
import type { NaturalVoice } from '@herald-speech/browser';
import { languageName } from '../lib/languages.js';
import { valueName, qualityName } from '../lib/voice-words.js';

type Translator = Pick<EditorNode, '_'>;

/** Returns the size in megabytes. */
export const megabytes = (bytes: number): string =>
  Math.max(1, Math.round(bytes / 1_000_000)).toLocaleString(RED.i18n.lang());

/** Returns the licence in words, with a mark for a licence that excludes commercial use. */
export function licenceText(
  { licence, isNonCommercial }: Pick<NaturalVoice, 'licence' | 'isNonCommercial'>,
  node: Translator,
): string {
  const name = licence === '' ? node._('picker.natural.licence-in-card') : licence;
  return isNonCommercial ? `${name} (${node._('picker.natural.non-commercial')})` : name;
}

/** Returns the language with the region, such as `German (Austria)`. */
export const regionName = ({ language, region }: Pick<NaturalVoice, 'language' | 'region'>): string =>
  languageName(region === '' ? language : `${language}-${region}`);

/** Returns the facts that help to choose a voice. */
export function factsOf(voice: NaturalVoice, node: Translator): string {
  const facts = [
    regionName(voice),
    voice.gender && valueName('gender', voice.gender, node),
    voice.speakers > 1 && node._('picker.natural.speakers', { count: voice.speakers }),
    qualityName(voice.quality, node),
    node._('picker.natural.size', { size: megabytes(voice.bytes) }),
    licenceText(voice, node),
  ];
  return facts.filter(Boolean).join(' · ');
}
