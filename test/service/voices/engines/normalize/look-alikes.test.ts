import assert from 'node:assert/strict';
import { normalizeText } from '../../../../../service/voices/engines/normalize/normalize-text.js';

/** Texts with words and numbers that look like signs, units, abbreviations or dates. */
const readings: Readonly<Record<string, ReadonlyArray<readonly [written: string, read: string]>>> = {
  ru: [
    ['5 рублей', 'пять рублей'],
    ['21 рубль', 'двадцать один рубль'],
    ['2 сообщения', 'два сообщения'],
    ['Код 0042', 'Код ноль ноль четыре два'],
  ],
  en: [
    ['In St. Louis it rains.', 'In Saint Louis it rains.'],
    ['The part I played', 'The part I played'],
    ['120/80', '120/80'],
    ['Chapter IV', 'Chapter four'],
  ],
  it: [['Alza il volume di 5', 'Alza il volume di cinque']],
  es: [['Este año mi hija cumple 5 años', 'Este año mi hija cumple cinco años']],
  sv: [['En del i huset är kall', 'En del i huset är kall']],
  de: [['Noch 30 sek.', 'Noch dreißig Sekunden.']],
  sl: [['1000', 'tisoč']],
  da: [['12 km/t', 'tolv kilometer i timen']],
  ja: [
    ['十分です。一本の道', '十分です。一本の道'],
    ['CO2とB5、iPhone15', 'CO2とB5、iPhone15'],
    ['水は3/4、期限は12/24', '水は四分の三、期限は十二月二十四日'],
    ['わ〜い、3〜5日', 'わ〜い、三から五日'],
    ['番号は25番', '番号は二十五番'],
  ],
  ko: [
    ['30대 남성, 차 2대, 3개월, 3개', '삼십대 남성, 차 두대, 삼개월, 세개'],
    ['9시 30분, 14시', '아홉시 삼십분, 십사시'],
    ['₩30조입니다', '삼십조 원입니다'],
  ],
  zh: [
    ['现在是14:30，8:05出发', '现在是十四点三十分，八点零五分出发'],
    ['2026年4月3日，2026-04-03', '二零二六年四月三日，二零二六年四月三日'],
    ['10年，90年代', '十年，九十年代'],
    ['2个窗户，第2个，2楼，22个', '两个窗户，第二个，二楼，二十二个'],
    ['气温21.5°C，外面-5度，10~15度', '气温二十一点五摄氏度，外面负五度，十到十五度'],
    ['湿度45%，下降10%-20%', '湿度百分之四十五，下降百分之十到二十'],
    ['风速12 km/h，8.2kWh', '风速每小时十二公里，八点二千瓦时'],
    ['¥12.50，¥1,204.50，¥0.05，¥3亿', '十二元五角，一千二百零四元五角，五分，三亿元'],
    ['$4.99，12 €', '四点九九美元，十二欧元'],
    ['12,500步，1.5亿人，1000002', '一万二千五百步，一点五亿人，一百万零二'],
    ['请拨打110，13812345678', '请拨打幺幺零，幺三八幺二三四五六七八'],
    ['验证码4072，3/4，2.10.3', '验证码四零七二，四分之三，二点十点三'],
    ['2 + 3 = 5，比分3-1', '二加三等于五，比分三比一'],
    ['CO2，B5', 'CO2，B5'],
  ],
  hi: [
    ['12,50,000 लोग, 1,00,00,000', 'बारह लाख पचास हज़ार लोग, एक करोड़'],
    ['१२५००००', 'बारह लाख पचास हज़ार'],
    ['123456789', 'बारह करोड़ चौंतीस लाख छप्पन हज़ार सात सौ नवासी'],
  ],
  pl: [['5,50 zł', 'pięć złotych i pięćdziesiąt groszy']],
};

describe('words that look like figures', () => {
  for (const [language, rows] of Object.entries(readings))
    it(`keep their reading in ${language}`, () => {
      for (const [written, read] of rows) assert.equal(normalizeText(written, language), read);
    });
});
