import assert from 'node:assert/strict';
import { normalizeText } from '../../../../../service/voices/engines/normalize/normalize-text.js';
import { readPart } from '../../../../../service/voices/engines/normalize/reading.js';

/** Texts with words and numbers that look like signs, units, abbreviations or dates. */
const readings: Readonly<Record<string, ReadonlyArray<readonly [written: string, read: string]>>> = {
  ru: [
    ['через 21 минуту, №5', 'через двадцать одну минуту, номер пять'],
    ['80-е', 'восьмидесятые'],
    ['звоните 01', 'звоните ноль один'],
    ['10 / 2 = 5', 'десять разделить на два равно пять'],
    ['2 ч. 15 мин. назад', 'два часа пятнадцать минут назад'],
    ['5 рублей', 'пять рублей'],
    ['21 рубль', 'двадцать один рубль'],
    ['2 сообщения', 'два сообщения'],
    ['Код 0042', 'Код ноль ноль четыре два'],
  ],
  en: [
    ['Version: 2026.04.01', 'Version: two thousand twenty-six point four point one'],
    ['in 340 A.D. there', 'in three forty AD there'],
    ['7:00 p.m. EST', 'seven PM EST'],
    ['open 24/7', 'open twenty-four seven'],
    ['in his 20s, 90s music', 'in his twenties, nineties music'],
    ['No. 5 people came.', 'No. five people came.'],
    ['No. That is all.', 'No. That is all.'],
    ['No. 5', 'number five'],
    ['no. 5, Room no. 12, Account no. 123', 'number five, Room number twelve, Account number one two three'],
    ['Call 911 now', 'Call nine one one now'],
    ['Row 12 A draws 12 A', 'Row twelve A draws twelve amperes'],
    ['2 x 3 = 6 and 10 / 2 = 5', 'two times three equals six and ten divided by two equals five'],
    ['2 ft. long', 'two feet long'],
    ['Version 2026.04.01 is out', 'Version two thousand twenty-six point four point one is out'],
    ['Home Assistant 2026.4.1', 'Home Assistant two thousand twenty-six point four point one'],
    ['In St. Louis it rains.', 'In Saint Louis it rains.'],
    ['The part I played', 'The part I played'],
    ['120/80', '120/80'],
    ['Chapter IV', 'Chapter four'],
    ['MIG-25/235212, 978-0', 'MIG-25/two three five two one two, 978-0'],
    ['Order #4711', 'Order number four seven one one'],
    ["We're #1, see #SmartHome", "We're number one, see hashtag SmartHome"],
    ['Room 204B, seat 12A', 'Room two zero four B, seat 12A'],
    ['tel. 555-1234', 'telephone five five five, one two three four'],
    ['on 12/24, due 3/4', 'on December twenty-fourth, due March fourth'],
    ['on 3/4 of the days', 'on three quarters of the days'],
    ['at 14:30 CET, 14:30 UTC+2', 'at fourteen thirty CET, fourteen thirty UTC plus two'],
    ['9:00 UTC+05:30', "nine o'clock UTC plus five thirty"],
  ],
  it: [
    ['Chiama 118', 'Chiama uno uno otto'],
    ['Sig.na Verdi', 'signorina Verdi'],
    ["3/4 d'ora, p.es. questo", "tre quarti d'ora, per esempio questo"],
    ['Alza il volume di 5', 'Alza il volume di cinque'],
    ['il 21/12, dal 3/4 al 12/5', 'il ventuno dicembre, dal tre aprile al dodici maggio'],
    ['Restano 3/4 del serbatoio', 'Restano tre quarti del serbatoio'],
    ['Camera n°5', 'Camera numero cinque'],
    ['alle 14:30 UTC+2', 'alle quattordici e trenta minuti UTC più due'],
  ],
  es: [
    ['Llama 112 veces', 'Llama ciento doce veces'],
    ['200 mujeres, 31 mujeres', 'doscientas mujeres, treinta y una mujeres'],
    ['No. 5', 'número cinco'],
    ['nº 5', 'número cinco'],
    ['el 21/12, del 3/4 al 12/5', 'el veintiuno de diciembre, del tres de abril al doce de mayo'],
    ['Quedan 3/4 del depósito', 'Quedan tres cuartos del depósito'],
    ['Marque el 016', 'Marque el cero dieciséis'],
    ['a las 14:30 UTC-3', 'a las catorce y treinta UTC menos tres'],
    ['Este año mi hija cumple 5 años', 'Este año mi hija cumple cinco años'],
  ],
  sv: [
    ['En del i huset är kall', 'En del i huset är kall'],
    ['Ring 1177', 'Ring elva sjuttiosju'],
  ],
  de: [
    ['Bis Fr., dann Ruhe', 'Bis Freitag, dann Ruhe'],
    ['Notruf 112, ruf die 110 an', 'Notruf eins eins zwei, ruf die eins eins null an'],
    ['Bus 42 A, Gleis 4 A, Wohnung 4 W', 'Bus zweiundvierzig A, Gleis vier A, Wohnung vier W'],
    ['2 x 3 = 6', 'zwei mal drei gleich sechs'],
    ['2 x täglich, 3x', 'zwei Mal täglich, drei Mal'],
    ['Sie haben 1 neue Nachricht', 'Sie haben eine neue Nachricht'],
    ['inkl. Frühstück', 'inklusive Frühstück'],
    ['1 Mio. Euro, 1 Mrd. €', 'eine Million Euro, eine Milliarde Euro'],
    ['Fr. Müller kommt', 'Frau Müller kommt'],
    ['Do. und Fr. geschlossen', 'Donnerstag und Freitag geschlossen'],
    ['Am Fr., 3.4.', 'Am Freitag, dritten April'],
    ['Mo.–Fr. 9:00', 'Montag bis Freitag neun Uhr'],
    ['Noch 30 sek.', 'Noch dreißig Sekunden.'],
    ['8.15–9.30 Uhr, 8–9.30 Uhr', 'acht Uhr fünfzehn bis neun Uhr dreißig, acht bis neun Uhr dreißig'],
    ['von 8.15 bis 9 Uhr', 'von acht Uhr fünfzehn bis neun Uhr'],
    ['Mo. bis Fr. und Sa.–So. zu', 'Montag bis Freitag und Samstag bis Sonntag zu'],
    [
      'i.d.R. nach § 5 Abs. 2, ggf. Art. 3',
      'in der Regel nach Paragraf fünf Absatz zwei, gegebenenfalls Artikel drei',
    ],
    ['Wir sind von dieser Art. Das gilt.', 'Wir sind von dieser Art. Das gilt.'],
    ['Um 14:30 UTC+2', 'Um vierzehn Uhr dreißig UTC plus zwei'],
  ],
  sl: [['1000', 'tisoč']],
  da: [['12 km/t', 'tolv kilometer i timen']],
  ja: [
    ['2 x 3 = 6', '二かける三は六'],
    ['十分です。一本の道', '十分です。一本の道'],
    ['CO2とB5、iPhone15', 'CO2とB5、iPhone15'],
    ['水は3/4、期限は12/24', '水は四分の三、期限は十二月二十四日'],
    ['わ〜い、3〜5日', 'わ〜い、三から五日'],
    ['番号は25番', '番号は二十五番'],
    ['110番か119へ、第110号', 'ひゃくとお番か一一九へ、第百十号'],
    ['14:30 UTC+9', '十四時三十分 UTCプラス九'],
  ],
  ko: [
    ['119에 신고', '일일구에 신고'],
    ['30대 남성, 차 2대, 3개월, 3개', '삼십대 남성, 차 두대, 삼개월, 세개'],
    ['9시 30분, 14시', '아홉시 삼십분, 십사시'],
    ['₩30조입니다', '삼십조 원입니다'],
  ],
  zh: [
    ['10 / 2 = 5', '十除以二等于五'],
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
    ['14:30 UTC+8', '十四点三十分 UTC加八'],
  ],
  hi: [
    ['12,50,000 लोग, 1,00,00,000', 'बारह लाख पचास हज़ार लोग, एक करोड़'],
    ['१२५००००', 'बारह लाख पचास हज़ार'],
    ['123456789', 'बारह करोड़ चौंतीस लाख छप्पन हज़ार सात सौ नवासी'],
  ],
  pl: [
    ['2 osoby, 2 domy', 'dwie osoby, dwa domy'],
    ['5,50 zł', 'pięć złotych i pięćdziesiąt groszy'],
  ],
  hu: [
    ['2026.4.1', 'kettőezerhuszonhat április elseje'],
    ['Hívja a 112-t', 'Hívja a száztizenkettőt'],
    ['3-at, 7-et, 0-ra, 3-kor', 'hármat, hetet, nullára, háromkor'],
  ],
  fr: [
    ['Il y a 112 pages', 'Il y a cent douze pages'],
    ['Place 12 A', 'Place douze A'],
    ['le 21/12, du 3/4 au 12/5', 'le vingt-et-un décembre, du trois avril au douze mai'],
    ['lundi 21/12/26', 'lundi vingt-et-un décembre deux mille vingt-six'],
    ['le 3/4 des gens, plein au 3/4', 'le trois quarts des gens, plein au trois quarts'],
    ['Appelez le 15, le 18 ou le 112', 'Appelez le quinze, le dix-huit ou le cent douze'],
    ['Composez le 3919', 'Composez le trente-neuf dix-neuf'],
    ['Tél. 0 800 123 456', 'téléphone zéro, huit cents, cent vingt-trois, quatre cent cinquante-six'],
    ['Chambre n°5', 'Chambre numéro cinq'],
    ['À 14:30 UTC+2', 'À quatorze heures trente UTC plus deux'],
    ['3 k€, 1 k€', 'trois mille euros, mille euros'],
    ['MM. Dupont et Mme. X', 'messieurs Dupont et madame X'],
  ],
  nl: [
    ['Bel 112', 'Bel een een twee'],
    ['1 t/m 5', 'een tot en met vijf'],
  ],
  pt: [
    ['2 vezes, 1 vez, 2 mulheres', 'duas vezes, uma vez, duas mulheres'],
    ['Ligue 190', 'Ligue um nove zero'],
    ['em 21/12, de 3/4 a 12/5', 'em vinte e um de dezembro, de três de abril a doze de maio'],
    ['em 3/4 das casas', 'em três quartos das casas'],
    ['às 14:30 UTC-3', 'às catorze horas e trinta UTC menos três'],
    ['R$ 5 mil', 'cinco mil reais'],
  ],
};

describe('words that look like figures', () => {
  for (const [language, rows] of Object.entries(readings))
    it(`keep their reading in ${language}`, () => {
      for (const [written, read] of rows) assert.equal(normalizeText(written, language), read);
    });
});

describe('Japanese figures for a service that reads kanji', () => {
  it('are kana where the kanji have another reading, and kanji elsewhere', () => {
    const cases = [
      ['10分後、14:10', 'じゅっぷん後、十四時じゅっぷん'],
      ['4月1日、2026-04-01', '四月ついたち、二千二十六年四月ついたち'],
      ['10分の1、十分です。1日3回', '十分の一、十分です。一日三回'],
      ['03-3501-1111', 'ゼロサン、サンゴゼロイチ、イチイチイチイチ'],
    ] as const;
    for (const [written, read] of cases)
      for (const tag of ['ja', 'ja-JP'])
        for (const text of [written, read]) assert.equal(readPart({ text }, tag), read);
  });
});
