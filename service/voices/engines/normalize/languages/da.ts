import type { Facts } from '../language-of.js';

/** Danish. */
export const danish: Facts = {
  code: 'da',
  numbers: {
    pointMarksOrdinals: true,
    minus: 'minus',
    plus: 'plus',
    mark: 'komma',
    to: 'til',
    dot: 'punktum',
  },
  units: {
    by: 'per',
    names: {
      t: { one: 'time', other: 'timer', series: 'common' },
      'km/t': { one: 'kilometer i timen', other: 'kilometer i timen', series: 'common' },
    },
  },
};
