import assert from 'node:assert/strict';
import type { EnginePlugin, EngineVoice } from '../../../../service/voices/engines/engine.js';
import { pageOf } from '../../../../service/kit/paging.js';
import { Catalogue } from '../../../../service/voices/catalogue/catalogue.js';
import { searchCatalogue } from '../../../../service/voices/catalogue/search.js';

function voiceOf(id: string, more: Partial<EngineVoice> = {}): EngineVoice {
  const isNatural = false;
  const texts = { name: id, description: '', age: 'young-adult', gender: 'male', useCases: ['narration'] };
  return { id, ...texts, languages: ['de'], pitch: 120, isNatural, ...more };
}

const natural = (id: string, more: Partial<EngineVoice> = {}) =>
  voiceOf(id, { quality: 'medium', isNatural: true, ...more });

/** An engine whose voices can be replaced. */
class Shelf implements EnginePlugin {
  readonly id = 'shelf';
  constructor(public voices: readonly EngineVoice[]) {}
  prepare = () => Promise.resolve();
  start = () => Promise.reject(new Error('this engine only lists voices'));
}

const simple = () => new Shelf([voiceOf('anna', { gender: 'female', pitch: 200 }), voiceOf('bernd')]);
const idsOf = ({ voices }: Catalogue) => voices.map(({ id }) => id);

describe('the catalogue of voices', () => {
  it('lists natural voices first, and too slow natural voices last', () => {
    const shelf = new Shelf([
      natural('slow', { isLive: false }),
      natural('fast', { isLive: true }),
      natural('unmeasured'),
    ]);
    const catalogue = new Catalogue([simple(), shelf]);
    assert.deepEqual(idsOf(catalogue), ['fast', 'unmeasured', 'anna', 'bernd', 'slow']);
    assert.equal(catalogue.defaultVoice('de')?.id, 'fast');
  });

  it('follows an engine that replaces its voices', () => {
    const shelf = new Shelf([]);
    const catalogue = new Catalogue([simple(), shelf]);
    assert.equal(catalogue.defaultVoice('de')?.id, 'anna');
    shelf.voices = [natural('thorsten')];
    assert.equal(catalogue.defaultVoice('de')?.id, 'thorsten');
    assert.equal(catalogue.speakable('thorsten')?.engine, 'shelf');
    shelf.voices = [];
    assert.equal(catalogue.get('thorsten'), undefined);
    assert.deepEqual(idsOf(catalogue), ['anna', 'bernd']);
  });

  it('describes the voices once while no engine changes', () => {
    const shelf = new Shelf([natural('thorsten')]);
    const catalogue = new Catalogue([simple(), shelf]);
    const before = catalogue.described;
    assert.equal(catalogue.described, before);
    shelf.voices = [natural('kerstin')];
    assert.notEqual(catalogue.described, before);
  });

  it('describes quality, licence and speed of natural voices only', () => {
    const measured = { licence: 'CC0', isLive: true, realTimeFactor: 0.123456 };
    const catalogue = new Catalogue([
      simple(),
      new Shelf([natural('thorsten', measured), natural('new', { isNonCommercial: true })]),
    ]);
    const [thorsten, unmeasured, anna] = catalogue.described;
    const { natural: isNatural, quality, licence, live, real_time_factor } = thorsten ?? assert.fail();
    assert.deepEqual(
      { isNatural, quality, licence, live, real_time_factor },
      { isNatural: true, quality: 'medium', licence: 'CC0', live: true, real_time_factor: 0.1235 },
    );
    assert.equal(unmeasured?.natural, true);
    assert.equal('live' in (unmeasured ?? {}), false);
    assert.equal('non_commercial' in (thorsten ?? {}), false);
    assert.equal(unmeasured?.non_commercial, true);
    assert.equal('natural' in (anna ?? {}), false);
  });

  it('continues a list after its last voice was removed, and after voices were added', () => {
    const shelf = new Shelf([natural('a'), natural('b'), natural('c'), natural('d')]);
    const catalogue = new Catalogue([simple(), shelf]);
    const next = (token?: string) => {
      const page = pageOf(catalogue.described, { page_size: 2, next_page_token: token }, catalogue.order);
      return { ids: page.items.map(({ voice_id }) => voice_id), token: page.next_page_token };
    };
    const first = next();
    assert.deepEqual(first.ids, ['a', 'b']);
    shelf.voices = [natural('a'), natural('c'), natural('d')];
    assert.deepEqual(next(first.token).ids, ['c', 'd']);
    shelf.voices = [natural('new'), natural('c'), natural('d')];
    assert.deepEqual(next(first.token).ids, ['new', 'c']);
    shelf.voices = [natural('a'), natural('b'), natural('c'), natural('d')];
    assert.deepEqual(next(first.token).ids, ['c', 'd']);
  });

  it('searches a thousand voices without samples, and reuses their descriptions', () => {
    const voices = Array.from({ length: 1000 }, (_, place) =>
      natural(`voice-${place}`, { languages: ['en'] }),
    );
    const catalogue = new Catalogue([new Shelf(voices)]);
    const found = searchCatalogue(catalogue.described, { name: 'voice-99', language: 'en' });
    assert.equal(found.length, 11);
    assert.ok(found.every((voice) => voice.samples === undefined && catalogue.described.includes(voice)));
  });

  it('replaces a natural voice by a simple voice of the language, if possible with the same gender', () => {
    const catalogue = new Catalogue([simple(), new Shelf([natural('thorsten')])]);
    assert.equal(catalogue.simpleVoice('de', 'male')?.id, 'bernd');
    assert.equal(catalogue.simpleVoice('de', 'neutral')?.id, 'anna');
    assert.equal(catalogue.simpleVoice('fr', 'male'), undefined);
  });

  it('approximates a custom voice with a measured natural voice, but never stores one for it', () => {
    const shelf = new Shelf([
      natural('slow', { isLive: false }),
      natural('unmeasured', { isNatural: false }),
      natural('thorsten'),
    ]);
    const catalogue = new Catalogue([simple(), shelf]);
    assert.equal(catalogue.nearest(200, 'de')?.id, 'thorsten');
    assert.equal(catalogue.nearestSimple(200)?.id, 'anna');
    shelf.voices = [natural('slow', { isLive: false })];
    assert.equal(catalogue.nearest(200, 'de')?.id, 'anna');
  });
});
