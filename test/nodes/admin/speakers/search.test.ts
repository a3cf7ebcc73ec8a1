import assert from 'node:assert/strict';
import { type SpeakerOfSearch, SpeakerSearch } from '../../../../nodes/admin/speakers/search.js';
import { never, until } from '../../../support/waiting.js';

const options = { duration: 10_000, grace: 10_000, collect: 1, maxFound: 3 };
const speaker = (address: string): SpeakerOfSearch => ({ kind: 'mpd', name: address, address });

describe('the search for speakers', () => {
  /** A network in which speakers reply at the signal of a test. */
  function network() {
    const searches: AbortSignal[] = [];
    let answer: (address: string) => void = () => assert.fail('no search');
    async function* find(signal: AbortSignal) {
      searches.push(signal);
      const waiting: string[] = [];
      let wake = () => {};
      answer = (address) => {
        waiting.push(address);
        wake();
      };
      signal.addEventListener('abort', () => wake());
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next !== undefined) yield { ...speaker(next), secret: 'token' };
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    return { find, searches, answer: (address: string) => answer(address) };
  }

  it('replies when a speaker answers, without its token, and serves all dialogs with one search', async () => {
    const { find, searches, answer } = network();
    const search = new SpeakerSearch(find, options);
    search.start();
    search.start();
    const { version } = await search.since(-1, never);
    const replies = [search.since(version, never), search.since(version, never)];
    answer('10.0.0.5');
    for (const { speakers, isSearching } of await Promise.all(replies))
      assert.deepEqual({ speakers, isSearching }, { speakers: [speaker('10.0.0.5')], isSearching: true });
    assert.equal(searches.length, 1);
    assert.ok(search.has('mpd', '10.0.0.5') && !search.has('dlna', '10.0.0.5'));
    search.stop();
  });

  it('ends after its time, and when no dialog asks any more', async () => {
    for (const limit of [{ duration: 5 }, { grace: 5 }]) {
      const { find, searches } = network();
      const search = new SpeakerSearch(find, { ...options, ...limit });
      search.start();
      if ('grace' in limit) {
        const closed = new AbortController();
        const reply = search.since(0, closed.signal);
        closed.abort();
        await assert.rejects(reply);
      }
      await until(() => searches[0]?.aborted === true);
      assert.equal((await search.since(0, never)).isSearching, false);
    }
  });

  it('keeps a limited number of speakers, and forgets those that a later search does not find', async () => {
    const { find, answer } = network();
    const search = new SpeakerSearch(find, options);
    search.start();
    for (let host = 1; host <= 5; host += 1) answer(`10.0.0.${host}`);
    await until(() => search.has('mpd', '10.0.0.3'));
    search.stop();
    assert.equal((await search.since(-1, never)).speakers.length, 3);
    await until(async () => !(await search.since(-1, never)).isSearching);
    search.start();
    search.stop();
    await until(async () => !(await search.since(-1, never)).isSearching);
    assert.deepEqual((await search.since(-1, never)).speakers, []);
  });
});
