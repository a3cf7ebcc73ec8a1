import assert from 'node:assert/strict';
import { isAccountsError, newAccount, useLedger } from './support.js';

/** operations.md, Custom voices */
describe('own voices in the database', () => {
  const { ledger, reopen } = useLedger();
  const voice = (name: string) => ({
    name,
    description: 'made of a sample',
    preset: 'rms',
    pitchShift: -1.5,
    rate: 1.1,
    sample: 'sample.wav',
  });
  const add = (account: string, name: string) => ledger().customVoices.add(account, voice(name));

  it('are as they were made after a restart', () => {
    const { id } = newAccount(ledger());
    const made = add(id, 'Ada');
    assert.match(made.voice_id, /^clone-[0-9a-f]{16}$/);
    const { voice_id, place, account, created, ...rest } = reopen().customVoices.get(id, made.voice_id);
    assert.deepEqual({ voice_id, place, account, created, ...rest }, made);
    assert.deepEqual([rest, account], [voice('Ada'), id]);
  });

  it('of another account are forbidden, unknown ones are not found', () => {
    const { customVoices } = ledger();
    const { id } = newAccount(ledger());
    const { voice_id } = add(newAccount(ledger()).id, 'Ada');
    const forbidden = isAccountsError('forbidden', /another account/);
    assert.throws(() => customVoices.get(id, voice_id), forbidden);
    assert.throws(() => customVoices.edit(id, voice_id, { name: 'x' }), forbidden);
    assert.throws(() => customVoices.remove(id, voice_id), forbidden);
    assert.throws(() => customVoices.get(id, 'clone-x'), isAccountsError('not-found', /"clone-x"/));
    assert.deepEqual(customVoices.list(id), []);
  });

  it('can be renamed and described; what is left out stays', () => {
    const { customVoices } = ledger();
    const { id } = newAccount(ledger());
    const { voice_id } = add(id, 'Ada');
    customVoices.edit(id, voice_id, { name: 'Eva' });
    const { name, description } = reopen().customVoices.get(id, voice_id);
    assert.deepEqual([name, description], ['Eva', 'made of a sample']);
    assert.equal(ledger().customVoices.edit(id, voice_id, { description: '' }).description, '');
  });

  it('are gone when they are removed', () => {
    const { id } = newAccount(ledger());
    const made = add(id, 'Ada');
    assert.deepEqual(ledger().customVoices.remove(id, made.voice_id), made);
    assert.throws(() => reopen().customVoices.get(id, made.voice_id), isAccountsError('not-found'));
  });

  it('come page by page in the order of their making, though some go meanwhile', () => {
    const { customVoices } = ledger();
    const { id } = newAccount(ledger());
    const made = Array.from({ length: 25 }, (_, index) => add(id, `voice ${index}`));
    const first = customVoices.page(id, { page_size: 10 });
    assert.deepEqual(first.items, made.slice(0, 10));
    assert.equal(first.total, 25);
    for (const { voice_id } of made.slice(5, 12)) customVoices.remove(id, voice_id);
    const second = customVoices.page(id, { page_size: 10, ...first });
    assert.deepEqual(second.items, made.slice(12, 22));
    assert.match(second.next_page_token ?? '', /^\d+$/);
    const third = customVoices.page(id, { page_size: 10, ...second });
    assert.deepEqual(third.items, made.slice(22));
    assert.equal(third.next_page_token, undefined);
  });

  it('can be searched, and a full last page ends the list', () => {
    const { customVoices } = ledger();
    const { id } = newAccount(ledger());
    for (let index = 0; index < 20; index++) add(id, index % 2 ? 'odd' : 'even');
    const found = customVoices.page(id, { page_size: 10 }, ({ name }) => name === 'odd');
    assert.equal(found.items.length, 10);
    assert.deepEqual([found.total, found.next_page_token], [10, undefined]);
  });

  it('know no token but their own', () => {
    const page = () => ledger().customVoices.page('x', { next_page_token: '-1' });
    assert.throws(page, isAccountsError('invalid', /next_page_token/));
  });
});
