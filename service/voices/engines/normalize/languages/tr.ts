import { electronicOf, type Facts, noun } from '../language-of.js';

/** Turkish. */
export const facts: Facts = {
  code: 'tr',
  numbers: {
    pointMarksOrdinals: true,
    minus: 'eksi',
    plus: 'artı',
    mark: 'virgül',
    to: 'ila',
    dot: 'nokta',
    equals: 'eşittir',
    ordinalBefore: () => 'masculine',
  },
  units: { by: 'bölü', names: { 'km/h': noun('saatte # kilometre'), 'm/s': noun('saniyede # metre') } },
  money: {
    units: { TRY: noun('lira'), EUR: noun('euro') },
    cents: { TRY: noun('kuruş'), EUR: noun('sent') },
    signs: { TL: 'TRY' },
  },
  dates: { shortDates: true, dayMonth: ' ' },
  electronic: electronicOf('et|nokta|tire|alt çizgi|eğik çizgi|iki nokta'),
  signs: {
    and: 've',
    hashtag: 'hashtag',
    times: 'çarpı',
    divided: 'bölü',
    plusMinus: 'artı eksi',
    by: 'çarpı',
    score: '',
  },
};
