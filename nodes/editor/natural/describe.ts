/** Describes natural voices in the language of the editor. */
import { languageName } from '../languages.js';
import { valueName } from '../voices/value-names.js';
import type { NaturalVoice } from './natural-voice.js';

type Translator = Pick<EditorNode, '_'>;

const QUALITIES: Readonly<Record<string, string>> = {
  x_low: 'picker.natural.quality.x_low',
  low: 'picker.natural.quality.low',
  medium: 'picker.natural.quality.medium',
  high: 'picker.natural.quality.high',
};

/** Returns the quality in words. An unknown quality keeps its word. */
export function qualityName(quality: string, node: Translator): string {
  const key = QUALITIES[quality];
  return key === undefined ? quality : node._(key);
}

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
