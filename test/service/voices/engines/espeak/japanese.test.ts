import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type Engine,
  NothingToSpeakError,
  type EnginePiece,
} from '../../../../../service/voices/engines/engine.js';
import { EspeakChild } from '../../../../../service/voices/engines/espeak/espeak-child.js';
import { startEspeak } from '../../../../../service/voices/engines/espeak/espeak.js';
import { KANJI_HINT } from '../../../../../service/kit/packages.js';
import { readJapanese } from '../../../../../service/voices/engines/espeak/japanese/japanese.js';
import { toEspeakText, toUsualForm } from '../../../../../service/voices/engines/espeak/text.js';

/** Household and telephone announcements with their readings by a speaker. "ー" is a long vowel. */
const readings: ReadonlyArray<readonly [text: string, reading: string]> = [
  ['今日は天気がいいです。', 'キョーワ テンキガ イイデス。'],
  ['玄関に誰か来ました。', 'ゲンカンニ ダレカ キマシタ。'],
  ['洗濯が終わりました。', 'センタクガ オワリマシタ。'],
  ['お風呂が沸きました。', 'オフロガ ワキマシタ。'],
  ['冷蔵庫のドアを閉めてください。', 'レイゾーコノ ドアオ シメテクダサイ。'],
  ['明日の朝は雨が降るでしょう。', 'アシタノ アサワ アメガ フルデショー。'],
  ['駅へ行きましょう。', 'エキエ イキマショー。'],
  ['電話をかけ直してください。', 'デンワオ カケナオシテクダサイ。'],
  ['お電話ありがとうございます。', 'オデンワ アリガトーゴザイマス。'],
  [
    '担当者におつなぎしますので、そのままお待ちください。',
    'タントーシャニ オツナギシマスノデ、 ソノママ オマチクダサイ。',
  ],
  ['ただいま電話が大変混み合っております。', 'タダイマ デンワガ タイヘン コミアッテオリマス。'],
  ['営業時間は午前9時から午後6時までです。', 'エイギョージカンワ ゴゼン クジカラ ゴゴ ロクジマデデス。'],
  ['3時15分です。', 'サンジ ジューゴフンデス。'],
  ['室温は20度、湿度は50%です。', 'シツオンワ ニジュード、 シツドワ ゴジュッパーセントデス。'],
  ['3人のお客様がお待ちです。', 'サンニンノ オキャクサマガ オマチデス。'],
  ['一人で来ました。', 'ヒトリデ キマシタ。'],
  ['二人とも元気です。', 'フタリトモ ゲンキデス。'],
  ['会議は二十日です。', 'カイギワ ハツカデス。'],
  ['10月1日は燃えるゴミの日です。', 'ジューガツ ツイタチワ モエル ゴミノ ヒデス。'],
  ['電池の残りは8%です。', 'デンチノ ノコリワ ハッパーセントデス。'],
  ['4月20日、午後7時30分に始まります。', 'シガツ ハツカ、 ゴゴ シチジ サンジュップンニ ハジマリマス。'],
  ['田中さんから荷物が2個届きました。', 'タナカサンカラ ニモツガ ニコ トドキマシタ。'],
  ['山田太郎様、3番の窓口へどうぞ。', 'ヤマダ タローサマ、 サンバンノ マドグチエ ドーゾ。'],
  ['お問い合わせは03-1234-5678まで。', 'オトイアワセワ ゼロサン、 イチニサンヨン、 ゴロクナナハチマデ。'],
  ['Wi-Fiにつながりません。', 'ワイファイニ ツナガリマセン。'],
  ['TVの電源を切りました。', 'TVノ デンゲンオ キリマシタ。'],
  ['スマートフォンを充電してください。', 'スマートフォンオ ジューデンシテクダサイ。'],
  ['コーヒーの準備ができました。', 'コーヒーノ ジュンビガ デキマシタ。'],
  ['火災が発生しました。すぐに避難してください。', 'カサイガ ハッセイシマシタ。スグニ ヒナンシテクダサイ。'],
  ['外の気温は−5℃です。', 'ソトノ キオンワ マイナス ゴドデス。'],
  ['エアコンを27度に設定しました。', 'エアコンオ ニジューナナドニ セッテイシマシタ。'],
  ['今日の最高気温は32.5度です。', 'キョーノ サイコーキオンワ サンジューニテンゴドデス。'],
  ['次のバスは12:05に出ます。', 'ツギノ バスワ ジューニジ ゴフンニ デマス。'],
  ['料金は1,980円です。', 'リョーキンワ センキューヒャクハチジューエンデス。'],
  ['電車は10分遅れています。', 'デンシャワ ジュップン オクレテイマス。'],
  ['子供たちが学校から帰ってきました。', 'コドモタチガ ガッコーカラ カエッテキマシタ。'],
  ['家の鍵を閉め忘れていませんか。', 'イエノ カギオ シメワスレテイマセンカ。'],
  ['寝室の電気を消します。', 'シンシツノ デンキオ ケシマス。'],
  ['ご飯が炊けました。', 'ゴハンガ タケマシタ。'],
  ['宅配便が届いています。', 'タクハイビンガ トドイテイマス。'],
  [
    'お薬の時間です。1日3回、2錠飲んでください。',
    'オクスリノ ジカンデス。 イチニチ サンカイ、 ニジョー ノンデクダサイ。',
  ],
  [
    '終了する場合は1を、続ける場合は2を押してください。',
    'シューリョースル バアイワ イチオ、 ツヅケル バアイワ ニオ オシテクダサイ。',
  ],
  ['地震です。身を守ってください。', 'ジシンデス。ミオ マモッテクダサイ。'],
  ['私は東京に住んでいます。', 'ワタシワ トーキョーニ スンデイマス。'],
  ['三時十五分に二十人来ます。', 'サンジ ジューゴフンニ ニジューニン キマス。'],
  ['2026年8月24日の4時です。', 'ニセンニジューロクネン ハチガツ ニジューヨッカノ ヨジデス。'],
  ['2026-04-09 19:00', 'ニセンニジューロクネン シガツ ココノカ ジュークジ'],
  [
    'りんごを3つ、卵を1つ、牛乳を6本買う。',
    'リンゴオ ミッツ、 タマゴオ ヒトツ、 ギューニューオ ロッポン カウ。',
  ],
  ['猫が3匹、犬が1匹います。', 'ネコガ サンビキ、 イヌガ イッピキ イマス。'],
  ['何人ですか。何本ですか。何時ですか。', 'ナンニンデスカ。ナンボンデスカ。ナンジデスカ。'],
  ['8階、3階、何階ですか。', 'ハッカイ、 サンガイ、 ナンガイデスカ。'],
  ['1億2000万円、5万8千人', 'イチオクニセンマンエン、 ゴマンハッセンニン'],
  ['100個、600個、1000本', 'ヒャッコ、 ロッピャッコ、 センボン'],
  ['風速は0.5m、雨は10mmです。', 'フーソクワ レーテンゴメートル、 アメワ ジューミリデス。'],
  ['10〜20度です。', 'ジューカラ ニジュードデス。'],
  ['消費電力は1.5kWhです。', 'ショーヒデンリョクワ イッテンゴキロワットジデス。'],
  ['一日中いい天気でした。', 'イチニチジュー イイテンキデシタ。'],
  ['110番に電話します。', 'ヒャクトーバンニ デンワシマス。'],
  ['お名前をお話しください。', 'オナマエオ オハナシクダサイ。'],
  ['こんにちは、佐藤さん。', 'コンニチワ、 サトーサン。'],
  ['¥500と$3', 'ゴヒャクエント サンドル'],
  ['バージョン1.2.3に更新しました。', 'バージョン イッテンニテンサンニ コーシンシマシタ。'],
  ['人口は1.5億人、1000万円', 'ジンコーワ イッテンゴオクニン、 イッセンマンエン'],
  ['令和8年4月3日(金)', 'レイワ ハチネン シガツ ミッカ、 キンヨービ'],
  ['期限は12/24、水は3/4です。', 'キゲンワ ジューニガツ ニジューヨッカ、 ミズワ ヨンブンノ サンデス。'],
  ['2箱と1袋、1箱', 'フタハコト ヒトフクロ、 ヒトハコ'],
  ['暗証番号は4072です。', 'アンショー バンゴーワ ヨンゼロナナニデス。'],
  ['結果は3-1、第IV章です。', 'ケッカワ サン タイ イチ、 ダイヨンショーデス。'],
  ['6 × 7 = 42', 'ロク カケル ナナワ ヨンジューニ'],
  ['119番に電話します。', 'イチイチキューバンニ デンワシマス。'],
];

const delivery = { speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 };
const { signal } = new AbortController();

describe('Japanese', () => {
  let child: EspeakChild;
  let engine: Engine;
  before(() => {
    child = new EspeakChild();
    engine = startEspeak({ child });
  });

  async function pieces(text: string, speaker = engine): Promise<EnginePiece[]> {
    const request = { voice: 'ja-yuki', text, language: 'ja', delivery };
    const result: EnginePiece[] = [];
    for await (const piece of speaker.speak(request, signal)) result.push(piece);
    return result;
  }

  async function soundsOf(text: string, speaker?: Engine): Promise<string> {
    const spoken = await pieces(text, speaker);
    return spoken.flatMap(({ phonemes }) => phonemes.map(({ symbol }) => symbol)).join('');
  }

  for (const [text, reading] of readings) {
    it(`reads ${text} as ${reading}`, async () => {
      const read = await readJapanese(toUsualForm(text), signal, (part) => child.read(part));
      assert.equal(spelledOut(read), spelledOut(reading));
    });
  }

  it('gives the same audio for kanji and for their kana', async () => {
    for (const [text, kana] of [
      ['今日は天気がいいです。', 'きょーわ てんきが いいです。'],
      ['玄関に誰か来ました。', 'げんかんに だれか きました。'],
      ['3人で9時に行きます。', 'さんにんで くじに いきます。'],
    ] as const) {
      assert.deepEqual(await pieces(text), await pieces(kana));
    }
  });

  it('reads 300 characters with kanji completely', async () => {
    const sentence = '玄関に誰か来ました。';
    const spoken = await pieces(sentence.repeat(30));
    const [one] = await pieces(sentence);
    assert.equal(spoken.length, 30);
    for (const { phonemes } of spoken) {
      const sounds = phonemes.filter(({ symbol }) => symbol !== '').map(({ symbol }) => symbol);
      assert.deepEqual(
        sounds,
        one?.phonemes.map(({ symbol }) => symbol).filter((symbol) => symbol !== ''),
      );
    }
  });

  it('reads 3500 characters without a full stop, in parts within the limit of the process', async () => {
    const read = await readJapanese('二十日は晴れ、'.repeat(500), signal, (part) => child.read(part));
    assert.equal(read.match(/ハツカワ/gu)?.length, 500);
  });

  it('reads again after a crash of the process', async () => {
    const before = await soundsOf('玄関に誰か来ました。');
    assert.ok(child.pid);
    process.kill(child.pid, 'SIGKILL');
    while (child.pid !== undefined) await new Promise(setImmediate);
    assert.equal(await soundsOf('玄関に誰か来ました。'), before);
  });

  it('stops reading when the signal aborts', async () => {
    const controller = new AbortController();
    controller.abort();
    const request = { voice: 'ja-yuki', text: '玄関', language: 'ja', delivery };
    await assert.rejects(
      async () => {
        for await (const _ of engine.speak(request, controller.signal));
      },
      { name: 'AbortError' },
    );
  });

  it('reads the particle of greetings in kana as わ', async () => {
    assert.equal(await readJapanese('こんにちは。こんばんは！', signal), 'こんにちわ。こんばんわ！');
  });

  it('keeps a text in kana, apart from greetings', async () => {
    const unread = () => Promise.reject(new Error('unexpected request for a reading'));
    const letters = [kanaFrom('ぁ', 'ん'), kanaFrom('ァ', 'ヴ'), 'ー、。！？ 「」'].join('');
    const kana = fc.constantFrom(...letters.split(''));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: kana }), async (text) => {
        assert.equal(await readJapanese(text, signal, unread), text);
      }),
    );
    for (const text of ['わたしは はなこです。', 'コーヒーをどうぞ！', 'ねぇ、ファーストフード？']) {
      assert.equal(await readJapanese(text, signal, unread), text);
    }
  });

  it('never spells kana and signs as letters', async () => {
    const letters = `${kanaFrom('ぁ', 'ヿ')}ーーーっァィ–—−―〜・、。%&@+=#℃々〆`;
    const unit = fc.constantFrom(...letters.split(''));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 30 }), async (text) => {
        const sounds = await soundsOf(text).catch((error: unknown) => {
          assert.ok(error instanceof NothingToSpeakError);
          return '';
        });
        assert.doesNotMatch(sounds, /dʒ|ə/u);
      }),
      { numRuns: 40 },
    );
  });

  it('normalizes unusual spellings in kana', () => {
    for (const [text, plain] of [
      ['すゞめ、こゝろ', 'すずめ、こころ'],
      ['わぁーー', 'わあ'],
      ['んー、えっー', 'ん、えっ'],
      ['ファーとティーとデュエット', 'ファーとティーとデュエット'],
      ['か–か', 'か か'],
      ['ヴェルヴェット、ラヴ', 'ベルベット、ラブ'],
      ['かっあ、えっ', 'かあ、えっ'],
    ] as const) {
      assert.equal(toEspeakText(text, 'ja'), plain);
    }
  });

  describe('without the dictionary', () => {
    let without: Engine;
    before(() => {
      without = startEspeak({ child, readsKanji: false });
    });

    it('reads kana, numbers and Latin letters', async () => {
      assert.equal(await soundsOf('東京タワー、3。', without), await soundsOf('タワー、さん。', without));
      assert.equal(
        await soundsOf('9:04、10月1日、20℃', without),
        await soundsOf('クジヨンプン、ジューガツツイタチ、ニジュード', without),
      );
    });

    it('rejects a text in kanji with an error that explains how to add the dictionary', async () => {
      await assert.rejects(pieces('漢字', without), (error) => {
        assert.ok(error instanceof NothingToSpeakError);
        assert.ok(error.message.includes(KANJI_HINT));
        return true;
      });
    });
  });
});

function kanaFrom(first: string, last: string): string {
  const start = first.charCodeAt(0);
  const count = last.charCodeAt(0) - start + 1;
  return Array.from({ length: count }, (_, index) => String.fromCharCode(start + index)).join('');
}

/** Converts to katakana without spaces and signs, with one kana for equal sounds. */
function spelledOut(reading: string): string {
  return reading
    .replace(/[\s、。「」]/gu, '')
    .replace(/[ぁ-ゖ]/gu, (hiragana) => String.fromCharCode(hiragana.charCodeAt(0) + 0x60))
    .replaceAll('ヲ', 'オ')
    .replaceAll('ヅ', 'ズ');
}
