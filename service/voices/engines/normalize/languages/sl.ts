import type { Facts } from '../language-of.js';

/** Slovenian. */
export const slovenian: Facts = {
  code: 'sl',
  numbers: { minus: 'minus', plus: 'plus', mark: 'vejica', to: 'do', dot: 'pika' },
  units: { by: 'na' },
};
