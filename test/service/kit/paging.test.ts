import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { customVoiceOrder } from '../../../service/voices/clones/clone.js';
import { loadEngines } from '../../../service/voices/engines/engines.js';
import { Catalogue } from '../../../service/voices/catalogue/catalogue.js';
import { numberToken, type Order, pageOf } from '../../../service/kit/paging.js';

/** The order of a list whose items are their own places. */
const places: Order<number> = { place: Number, write: numberToken.write, read: numberToken.read };

const list = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 80 }).map((all) => sorted(all));
const size = fc.integer({ min: 10, max: 100 });

function sorted(all: readonly number[]): number[] {
  return all.toSorted((a, b) => a - b);
}

describe('the pages of a list', () => {
  it('contain every item once, in order', () => {
    fc.assert(
      fc.property(list, size, (all, page_size) => {
        const seen: number[] = [];
        let token: string | undefined;
        do {
          const page = pageOf(all, { page_size, next_page_token: token }, places);
          assert.equal(page.total, all.length);
          assert.ok(page.items.length <= page_size);
          seen.push(...page.items);
          token = page.next_page_token;
        } while (token !== undefined);
        assert.deepEqual(seen, all);
      }),
    );
  });

  it('neither skip nor repeat an item while others are added or deleted', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const first = pageOf(before, { page_size: 10 }, places);
        if (first.next_page_token === undefined) return;
        const rest = pageOf(after, { page_size: 100, next_page_token: first.next_page_token }, places);
        const stayed = before.filter((place) => after.includes(place));
        const seen = [...first.items, ...rest.items].filter((place) => stayed.includes(place));
        assert.deepEqual(seen, stayed);
      }),
    );
  });

  for (const [name, order] of Object.entries({
    'preset voices': new Catalogue([]).order,
    'custom voices': customVoiceOrder,
  })) {
    it(`recognize an unknown token of ${name}`, () => {
      for (const next_page_token of ['x', '-1', '1.5', 'dm9pY2VzOg', '%00', 'dm9pY2U6bm9ib2R5']) {
        assert.equal(order.read(next_page_token), undefined, next_page_token);
      }
    });
  }

  it('reject an unknown token with a 400 that names it', () => {
    const page = () => pageOf([1], { next_page_token: 'x' }, places);
    assert.throws(page, { name: 'ServiceError', status: 400, message: /^next_page_token is "x": expected/ });
  });

  it('have opaque tokens for preset voices, which work with every search', async () => {
    const catalogue = new Catalogue(await loadEngines());
    const all = catalogue.described;
    const token = catalogue.order.write(all[1] ?? assert.fail('the catalogue has too few voices'));
    assert.match(token, /^[\w-]+$/);
    assert.deepEqual(pageOf(all.slice(3), { next_page_token: token }, catalogue.order).items[0], all[3]);
    assert.deepEqual(pageOf(all, { next_page_token: token }, catalogue.order).items[0], all[2]);
  });

  it('have 20 items by default', () => {
    const all = Array.from({ length: 30 }, (_, index) => index + 1);
    assert.equal(pageOf(all, {}, places).items.length, 20);
    assert.equal(pageOf(all, {}, places).next_page_token, '20');
  });

  it('have no token on the last page, even if it is full', () => {
    const all = Array.from({ length: 10 }, (_, index) => index + 1);
    assert.equal('next_page_token' in pageOf(all, { page_size: 10 }, places), false);
  });
});
