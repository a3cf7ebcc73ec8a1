import { createHash } from 'node:crypto';
import { fieldIn } from '../../installed/card-field.js';
import { NaturalVoiceError } from '../../installed/errors.js';

/** A model card, which a user reads before the installation of a voice. */
export interface ParsedModelCard {
  /** Text without control characters, except line breaks and tabs. */
  text: string;
  /** Licence that the card states, null if the card states no licence. */
  licence: string | null;
  /** Whether the card forbids commercial use. */
  isNonCommercial: boolean;
  /** SHA-256 digest of the file. */
  sha256: string;
}

/** Maximum size of a model card in bytes. The cards of the public repository have 200 to 4000. */
export const MAX_CARD = 65_536;

/** Maximum UTF-16 code units of a licence. */
const MAX_LICENCE = 500;

/** The wordings of licences that forbid commercial use, after `plainWords`. */
const NON_COMMERCIAL = [
  /non? ?com?mercial|nicht kommerziell|\bby nc\b|\bnc (?:sa|nd|\d)/iu,
  /(?:not? for|\bno) commercial|commercial use (?:is |are )?(?:not |prohibited|forbidden)/iu,
  /(?:research|academic|educational|personal|private)(?: (?:and|or) \p{L}+)? (?:use |purposes )?only/iu,
  /only (?:for|in) (?:academic )?research/iu,
];

/** Returns a text with one space between words in place of dashes of any kind, underscores and line breaks. */
const plainWords = (text: string) => text.replace(/[\s_\p{Pd}]+/gu, ' ');

const forbidsCommerce = (text: string): boolean => {
  const words = plainWords(text);
  return NON_COMMERCIAL.some((wording) => wording.test(words));
};

/** The licence of the Blizzard challenges allows research only. Its cards contain an address of this form. */
const BLIZZARD = /blizzard/iu;

/** Returns whether a licence forbids commercial use. */
export const isNonCommercial = (licence: string): boolean =>
  forbidsCommerce(licence) || BLIZZARD.test(licence);

/**
 * Reads a model card, which is untrusted.
 * @param voice name for error messages
 * @throws NaturalVoiceError `invalid` for binary data or HTML
 */
export function parseModelCard(bytes: Uint8Array, voice: string): ParsedModelCard {
  const text = decode(bytes, voice);
  const licence = licenceIn(text);
  return {
    text,
    licence,
    isNonCommercial: forbidsCommerce(text) || (licence !== null && isNonCommercial(licence)),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

function decode(bytes: Uint8Array, voice: string): string {
  const text = decoded(bytes);
  const fix = 'Check the address of the voice repository, or try again later';
  if (text === undefined || text.includes('\0')) {
    throw new NaturalVoiceError(
      'invalid',
      `model card of ${voice}: expected a text, not binary data. ${fix}`,
    );
  }
  if (/^\s*<(?:!doctype|html|head|body|\?xml)\b/iu.test(text)) {
    throw new NaturalVoiceError('invalid', `model card of ${voice}: expected a text, not a web page. ${fix}`);
  }
  return text
    .replace(/\r\n?/gu, '\n')
    .replace(/[^\P{C}\n\t]/gu, '')
    .trim();
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the licence of a card. A card that refers to an address, as in "See URL", gets the address as well. */
function licenceIn(text: string): string | null {
  const licence = fieldIn(text, /licen[cs]e(?: type| name)?/u);
  if (licence === undefined) return null;
  const address =
    /^see\b/iu.test(licence) && !licence.includes('://') ? fieldIn(text, /url|source/u) : undefined;
  const full = address === undefined ? licence : `${licence}: ${address}`;
  return full.slice(0, MAX_LICENCE);
}
