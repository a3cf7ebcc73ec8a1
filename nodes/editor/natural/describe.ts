/** Describes natural voices in the language of the editor. */
import { type NaturalVoice, regionName } from '@herald-speech/browser';
import { nameOf, numeral, qualityName, voiceWords } from '../lib/languages.js';

/** A node or another owner of localized texts. */
export type TextsOf = Pick<EditorNode, '_'>;

/** Returns the size in megabytes. */
export const megabytes = (bytes: number): string => numeral(Math.max(1, Math.round(bytes / 1_000_000)));

/** Returns the licence in words, with a mark for a licence that excludes commercial use. */
export function licenceText(
  { licence, isNonCommercial }: Pick<NaturalVoice, 'licence' | 'isNonCommercial'>,
  node: TextsOf,
): string {
  const name = licence === '' ? node._('picker.natural.licence-in-card') : licence;
  return isNonCommercial ? `${name} (${voiceWords()['non-commercial']})` : name;
}

/** Returns the facts that help to choose a voice. */
export function factsOf(voice: NaturalVoice, node: TextsOf): string {
  const facts = [
    regionName(voice, RED.i18n.lang()),
    voice.gender && nameOf('gender', voice.gender),
    voice.speakers > 1 && voiceWords().speakers.replace('__count__', String(voice.speakers)),
    qualityName(voice.quality),
    node._('picker.natural.size', { size: megabytes(voice.bytes) }),
    licenceText(voice, node),
  ];
  return facts.filter(Boolean).join(' · ');
}
