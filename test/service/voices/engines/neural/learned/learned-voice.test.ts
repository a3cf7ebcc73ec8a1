import assert from 'node:assert/strict';
import { EspeakChild } from '../../../../../../service/voices/engines/espeak/espeak-child.js';
import { learnedVoice } from '../../../../../../service/voices/engines/neural/learned/learned-voice.js';
import { nearestSound } from '../../../../../../service/voices/engines/neural/learned/nearest-sound.js';
import { untrainedIds } from '../../../../../../service/voices/engines/neural/learned/untrained.js';
import { spellingsOf } from '../../../../../../service/voices/engines/neural/spelling/spelling.js';
import type { InstalledVoice } from '../../../../../../service/voices/installed/installed-voice.js';
import { readConfig } from '../../../../../../service/voices/installed/voice-config.js';
import { configOf, PHONEME_IDS } from '../../../../../support/natural/stub-voice.js';
import { useFolder } from '../../../../../support/folder.js';
import { installStub } from '../../../../../support/natural/installed-stub.js';

const idsOf = (symbols: string) => Array.from(symbols).flatMap((symbol) => PHONEME_IDS[symbol] ?? []);

describe('a symbol that a model never learned', () => {
  const nearest = (sounds: string, known: string) => {
    const set = new Set(known);
    return Array.from(sounds, (sound) => nearestSound(sound, set) ?? '-').join('');
  };

  it('has a nearest symbol among those that the model knows', () => {
    // Symbols of an English, a German, a Brazilian and a French voice.
    assert.equal(nearest('ryøʏçʁɲʎc;', 'aeiouæɐɑɔəɛɪʊbdfhjklmnpstvwxzðŋɡɹʃʒθ,.'), 'ɹieɪʃɹnjk,');
    assert.equal(nearest('ʏcwθðʌɚ', 'aeiouyøœɐɑɔəɛɜɪʊbdfhjklmnprstvxzŋɡɾʃʒ'), 'ykvszɜə');
    assert.equal(nearest('cɟɪ', 'aeiouɐɔəɛʊbdfhjklmnpɾstvwxzʎɲɡʃʒ'), 'kɡi');
    assert.equal(nearest('rɾɹhʔ?', 'aeiouyøœɔəɛbdfjklmnpstvwzɡʁʃʒɲ,.!'), 'ʁʁʁ--!');
  });

  it('is recognised by the length of its vector, which is that of rows without a symbol', () => {
    const config = readConfig(configOf({ name: 'de_DE-a-medium' }));
    const symbols = config.symbols;
    const lengths = (unused: number) =>
      Float32Array.from({ length: symbols + unused }, (_, id) =>
        id < symbols ? 0.9 : 0.35 + (id % 8) * 0.01,
      );
    const with3 = lengths(40);
    for (const [index, id] of idsOf('ʏcq').entries()) with3[id] = 0.33 + 0.05 * index;
    assert.deepEqual(untrainedIds(with3, config), idsOf('cqʏ'));
  });

  it('is not looked for in a table that does not separate trained vectors from others', () => {
    const config = readConfig(configOf({ name: 'de_DE-a-medium' }));
    const even = new Float32Array(config.symbols + 100).fill(0.9);
    assert.deepEqual(untrainedIds(even, config), []);
    assert.deepEqual(
      untrainedIds(even.map((_, id) => (id < 10 ? 2 : 0.9)).slice(0, config.symbols + 5), config),
      [],
    );
  });

  describe('in a text', () => {
    const folder = useFolder();
    let espeak: EspeakChild;
    let installed: InstalledVoice;
    before(() => {
      espeak = new EspeakChild();
    });
    after(() => espeak.close());
    beforeEach(async () => {
      installed = await installStub(folder(), { name: 'de_DE-a-medium' });
    });

    const spell = async (text: string, untrained: readonly number[], espeakVoice = 'de') => {
      const { config } = learnedVoice(installed, untrained);
      const language = espeakVoice.slice(0, 2);
      const spellings = await spellingsOf(text, language, { ...config, espeakVoice }, (voice, texts) =>
        espeak.phonemes({ voice, texts }),
      );
      const symbols = new Map(Object.entries(PHONEME_IDS).map(([symbol, [id]]) => [id, symbol]));
      return spellings
        .map(({ ids }) => ids.flatMap((id) => (id > 2 ? symbols.get(id) : [])).join(''))
        .join(' ');
    };

    it('is spoken as y in "Rücken" and as k in Brazilian "Isaac"', async () => {
      assert.equal(await spell('Rücken', []), 'rˈʏkən.');
      assert.equal(await spell('Rücken', idsOf('ʏ')), 'rˈykən.');
      assert.equal(await spell('Isaac', [], 'pt-br'), 'izˈac.');
      assert.equal(await spell('Isaac', idsOf('c'), 'pt-br'), 'izˈak.');
    });

    it('is one sound if it has a sign of its own: "ich" ends with sh for a model without ç', async () => {
      assert.equal(await spell('ich', []), 'ɪç.'.normalize('NFD'));
      assert.equal(await spell('ich', idsOf('cçʝɧɕ')), 'ɪʃ.');
    });

    it('is left out if nothing sounds like it', async () => {
      assert.equal(await spell('Haus', idsOf('hɦħʜxχʕʢɣɡçʝʁʀkq')), 'ˈaʊs.');
    });
  });
});
