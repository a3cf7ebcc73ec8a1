import * as fc from 'fast-check';

/** The number of surrogates, the code points from U+D800 to U+DFFF, which are not characters. */
const SURROGATES = 0x800;
const isBelow = (code: number) => code < 0xd800;

/**
 * A code point, as the unit of `fc.string`. The unit `binary` of fast-check has the same values, and first takes 0.7 CPU seconds for a
 * table of them in each process.
 */
const codePoint = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (rank) => String.fromCodePoint(isBelow(rank) ? rank : rank + SURROGATES),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('not a code point');
    return isBelow(code) ? code : code - SURROGATES;
  },
);

/** Texts of any code points except surrogates, also of control characters. `maxLength` counts code points. */
export const anyText = (limits: { minLength?: number; maxLength?: number } = {}) =>
  fc.string({ ...limits, unit: codePoint });
