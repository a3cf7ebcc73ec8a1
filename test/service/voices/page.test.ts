import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { numberToken, opaqueToken, pageOf } from '../../../service/voices/page.js';

describe('pages', () => {
  for (const [name, tokens] of Object.entries({ opaque: opaqueToken, numbers: numberToken })) {
    it(`following the tokens (${name}) gives every item once, in order`, () => {
      fc.assert(
        fc.property(
          fc.array(fc.nat(), { maxLength: 60 }),
          fc.integer({ min: 10, max: 100 }),
          (all, page_size) => {
            const seen: number[] = [];
            let token: string | undefined;
            do {
              const page = pageOf(all, { page_size, next_page_token: token }, tokens);
              assert.equal(page.total, all.length);
              assert.ok(page.items.length <= page_size);
              seen.push(...page.items);
              token = page.next_page_token;
            } while (token !== undefined);
            assert.deepEqual(seen, all);
          },
        ),
      );
    });

    it(`a token of nobody's (${name}) is a 400`, () => {
      for (const next_page_token of ['x', '-1', '1.5', 'dm9pY2VzOg', '%00']) {
        assert.throws(() => pageOf([1], { next_page_token }, tokens), { name: 'ServiceError', status: 400 });
      }
    });
  }

  it('has 20 items unless told otherwise', () => {
    assert.equal(pageOf(Array.from({ length: 30 }), {}, numberToken).items.length, 20);
  });

  it('tokens of own voices are non-negative integers', () => {
    assert.equal(pageOf(Array.from({ length: 30 }), {}, numberToken).next_page_token, '20');
  });

  it('the last page has no token', () => {
    assert.equal('next_page_token' in pageOf([1, 2], {}, opaqueToken), false);
  });
});
