/** Text of one speech request, in UTF-16 code units (docs/interface.md#limits). */
export const MAX_TEXT_LENGTH = 300;
/** Name of a custom voice, in UTF-16 code units (docs/interface.md#limits). */
export const MAX_NAME_LENGTH = 100;
/** Bytes of a clone sample. The interface says "3 MB"; this is the smaller of the two readings. */
export const MAX_SAMPLE_BYTES = 3_000_000;
/** Items of a page (docs/interface.md#limits). */
export const PAGE_SIZE = { min: 10, max: 100, default: 20 } as const;
/** Buckets of a usage page (docs/interface.md#limits). */
export const USAGE_PAGE_SIZE = { min: 1, max: 20, default: 10 } as const;
/** Matches a text with a letter or digit. A service may refuse any other text (docs/interface.md#open-points). */
export const SPEAKABLE = /[\p{L}\p{N}]/u;
