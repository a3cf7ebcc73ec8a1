import { type Facts, noun } from '../language-of.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

/** CLDR writes a hundred without tens with "lẻ"; "linh" is the form of the standard language. Four after tens is "tư". */
const cardinal = (value: number): string =>
  spellOut('vi', '%spellout-cardinal', value)
    .replaceAll(' lẻ ', ' linh ')
    .replace(/không trăm (?:linh )?/gu, (zero) => (zero.endsWith('linh ') ? 'linh ' : ''))
    .replace(/(?<=mươi )bốn(?!\p{L})/gu, 'tư');
const ordinal = (value: number) => (value === 1 ? 'nhất' : value === 4 ? 'tư' : cardinal(value));
const month = (value: number) => (value === 4 ? 'tư' : cardinal(value));
const SCALES: Readonly<Record<string, string>> = { k: 'nghìn', K: 'nghìn', tr: 'triệu', t: 'tỷ' };
const TIME_UNITS: Readonly<Record<string, string>> = { h: 'giờ', g: 'giờ', p: 'phút', s: 'giây' };
const words = (...parts: Array<[number, string] | undefined>) =>
  parts.flatMap((part) => (part === undefined ? [] : [`${cardinal(part[0])} ${part[1]}`])).join(' ');

/** Vietnamese. */
export const facts: Facts = {
  code: 'vi',
  numbers: {
    equals: 'bằng',
    minus: 'âm',
    plus: 'cộng',
    mark: 'phẩy',
    to: 'đến',
    dot: 'chấm',
    cardinal,
    ordinal,
    year: cardinal,
  },
  units: {
    by: 'trên',
    rate: (name, per) => `${name} trên ${per}`,
    names: {
      km: noun('ki lô mét'),
      m: noun('mét'),
      dm: noun('đề xi mét'),
      cm: noun('xăng ti mét'),
      mm: noun('mi li mét'),
      'km²': noun('ki lô mét vuông'),
      'm²': noun('mét vuông'),
      'cm²': noun('xăng ti mét vuông'),
      'm³': noun('mét khối'),
      'cm³': noun('xăng ti mét khối'),
      l: noun('lít'),
      ml: noun('mi li lít'),
      kg: noun('ki lô gam'),
      g: noun('gam'),
      mg: noun('mi li gam'),
      t: noun('tấn'),
      ha: noun('héc ta'),
      h: noun('giờ'),
      min: noun('phút'),
      s: noun('giây'),
      p: noun('phút'),
      giờ: noun('giờ'),
      ngày: noun('ngày'),
      phút: noun('phút'),
      V: noun('vôn'),
      mV: noun('mi li vôn'),
      A: noun('am pe'),
      mA: noun('mi li am pe'),
      W: noun('oát'),
      kW: noun('ki lô oát'),
      MW: noun('mê ga oát'),
      TW: noun('tê ra oát'),
      kWh: noun('ki lô oát giờ'),
      Hz: noun('hẹc'),
      kHz: noun('ki lô hẹc'),
      MHz: noun('mê ga hẹc'),
      GHz: noun('gi ga hẹc'),
      kB: noun('ki lô bai'),
      MB: noun('mê ga bai'),
      GB: noun('gi ga bai'),
      TB: noun('terabyte'),
      '%': noun('phần trăm'),
      '‰': noun('phần nghìn'),
      '°': noun('độ'),
      '°C': noun('độ C'),
      '°F': noun('độ F'),
      '°k': noun('độ k'),
      '°K': noun('độ k'),
      'km/h': noun('ki lô mét trên giờ'),
      'm/s': noun('mét trên giây'),
      hPa: noun('héc tô pát xcan'),
    },
  },
  money: {
    units: { VND: noun('đồng'), USD: noun('đô la'), EUR: noun('ơ rô'), GBP: noun('bảng Anh') },
    cents: { USD: noun('xu'), EUR: noun('xu') },
    signs: { đ: 'VND', vnd: 'VND', vnđ: 'VND', VNĐ: 'VND', đồng: 'VND' },
    scales: { nghìn: 'nghìn', triệu: 'triệu', tỷ: 'tỷ' },
  },
  dates: {
    date: ({ year, month: ofYear, day }, before) =>
      `${/ngày $/iu.test(before) ? '' : 'ngày '}${cardinal(day)} tháng ${month(ofYear)}${year === undefined ? '' : ` năm ${cardinal(year)}`}`,
    dayMonth: ' ',
    monthYear: ' ',
  },
  times: {
    time: ({ hour, minute, second }) =>
      words(
        [hour, 'giờ'],
        minute + second === 0 ? undefined : [minute, 'phút'],
        second === 0 ? undefined : [second, 'giây'],
      ),
    separator: '[hg]',
    suffix: '(?!)',
  },
  phones: { patterns: [], pause: ', ' },
  electronic: {
    signs: {
      '@': 'a còng',
      '.': 'chấm',
      '-': 'gạch ngang',
      _: 'gạch dưới',
      '/': 'gạch chéo',
      ':': 'hai chấm',
      '://': 'hai chấm gạch chéo gạch chéo',
    },
    words: { gmail: 'gmail', com: 'com', vn: 'vn' },
  },
  signs: {
    and: 'và',
    hashtag: 'hashtag',
    times: 'nhân',
    divided: 'chia',
    less: 'trừ',
    plusMinus: 'cộng trừ',
    by: 'nhân',
    score: '',
    codes: {
      before:
        '[Mm]ã(?: PIN| bưu chính| khách hàng| đơn hàng)?|PIN|[Mm]ật khẩu|[Ss]ố (?:sê-ri|tài khoản|hợp đồng)',
      link: '(?:của bạn )?là',
    },
  },
  abbreviations: {
    'TP.': 'thành phố',
    'TP. ': 'thành phố ',
    'TS.': 'tiến sĩ',
    'ThS.': 'thạc sĩ',
    'BS.': 'bác sĩ',
    'GS.': 'giáo sư',
    'PGS.': 'phó giáo sư',
    'v.v.': 'vân vân',
    'v.v': 'vân vân',
    'Q.': 'quận',
    TCN: 'trước Công nguyên',
    SCN: 'sau Công nguyên',
    '§': 'mục',
    utc: 'UTC',
    est: 'EST',
    cst: 'CST',
    jst: 'JST',
    gmt: 'GMT',
  },
  roman: {
    before:
      'thế kỷ|thế kỉ|thứ|chương|phần|đoạn|năm|khoản|phụ lục|khóa|khoá|số|mục|điều|tập|quyển|Louis|Napoléon|Henry|Charles|Elizabeth|George|Edward|Philip|William|Pius|Phaolô',
    words: cardinal,
  },
  fraction: ({ whole, numerator, denominator }) => {
    const part = `${cardinal(numerator)} phần ${denominator === 4 ? 'tư' : cardinal(denominator)}`;
    return whole === undefined ? part : `${cardinal(Number(whole))} và ${part}`;
  },
  forms: [
    {
      pattern: /(?<![\p{L}\p{N}.,])(?<from>\d{1,2})h ?[-–] ?(?=\d{1,2}h)/gu,
      words: ({ from }) => `${cardinal(Number(from))} giờ đến `,
    },
    // "1h 5m": "m" is a minute after hours.
    {
      pattern: /(?<=\d ?h ?)(?<minutes>\d{1,2}) ?m(?![\p{L}\p{N}])/gu,
      words: ({ minutes }) => `${cardinal(Number(minutes))} phút`,
    },
    // "ngày 24/12".
    {
      pattern: /(?<=[Nn]gày )(?<day>0?[1-9]|[12]\d|3[01])\/(?<month>0?[1-9]|1[0-2])(?![\p{L}\p{N}/])/gu,
      words: ({ day, month: ofYear }) => `${cardinal(Number(day))} tháng ${month(Number(ofYear))}`,
    },
    {
      pattern: new RegExp(
        `${START}(?<from>\\d{1,6})(?<first>k|tr|t)-(?<to>\\d{1,6})(?<second>k|tr|t)(?![\\p{L}\\p{N}])`,
        'gu',
      ),
      words: ({ from, first = '', to, second = '' }) =>
        `${cardinal(Number(from))} ${SCALES[first]} đến ${cardinal(Number(to))} ${SCALES[second]}`,
    },
    {
      pattern: new RegExp(`(?<![\\p{L}\\p{M}])(?<word>thứ|Thứ) (?<value>\\d{1,6})${END}`, 'gu'),
      words: ({ word, value }) => `${word} ${ordinal(Number(value))}`,
    },
    {
      pattern:
        /(?<![\p{L}\p{M}])(?<word>tháng|Tháng) (?<month>0?[1-9]|1[0-2])(?:(?:\/| năm | )(?<year>\d{4}))?(?![\p{N}/])/gu,
      words: ({ word, month: ofYear, year }) =>
        `${word} ${month(Number(ofYear))}${year === undefined ? '' : ` năm ${cardinal(Number(year))}`}`,
    },
    {
      pattern: new RegExp(
        `${START}(?<value>\\d{1,6})(?<scale>k|K|tr|t)(?<rest>\\d?)(?<coin> ?(?:vnđ|vnd|đ))?(?![\\p{L}\\p{N}])`,
        'gu',
      ),
      words: ({ value, scale = '', rest = '', coin }) =>
        `${cardinal(Number(value))} ${SCALES[scale]}${rest === '' ? '' : ` ${cardinal(Number(rest) * 100)} ${scale === 'tr' ? 'nghìn' : ''}`.trimEnd()}${coin === undefined ? '' : ' đồng'}`,
    },
    {
      pattern: new RegExp(
        `${START}(?<hours>\\d{1,2})(?<first>[hgp])(?:(?<second>[0-5]?\\d)(?<unit>[ps])?)?(?![\\p{L}\\p{N}])`,
        'gu',
      ),
      words: ({ hours, first = '', second, unit }) => {
        const next = unit ?? (first === 'p' ? 's' : 'p');
        return words(
          [Number(hours), TIME_UNITS[first] ?? ''],
          second === undefined ? undefined : [Number(second), TIME_UNITS[next] ?? ''],
        );
      },
    },
  ],
};
