import type { Facts } from '../language-of.js';

/** Latvian. */
export const latvian: Facts = {
  code: 'lv',
  numbers: {
    pointMarksOrdinals: true,
    minus: 'mīnus',
    plus: 'plus',
    mark: 'komats',
    to: 'līdz',
    dot: 'punkts',
  },
  units: { by: 'uz' },
};
