import assert from 'node:assert/strict';
import { isAccountsError, newAccount, useLedger } from '../accounts/support.js';

/** docs/interface.md#custom-voices */
describe('own voices in the database', () => {
  const { ledger, reopen } = useLedger();
  const voice = (name: string) => ({
    name,
    description: 'made of a sample',
    preset: 'rms',
    pitchShift: -1.5,
    pitchVariance: 1.2,
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

  it('keep their places in the list for ever, though some go meanwhile', () => {
    const { customVoices } = ledger();
    const { id } = newAccount(ledger());
    const made = Array.from({ length: 5 }, (_, index) => add(id, `voice ${index}`));
    customVoices.remove(id, made[4]?.voice_id ?? '');
    const last = add(id, 'later');
    assert.deepEqual(customVoices.list(id), [...made.slice(0, 4), last]);
    assert.ok(last.place > (made[4]?.place ?? 0));
  });

  it('have no NUL in their texts, which the database would cut at', () => {
    const { customVoices } = ledger();
    const { id } = newAccount(ledger());
    assert.throws(() => add(id, 'a\0b'), isAccountsError('invalid', /^name is .*NUL/));
    const { voice_id } = add(id, 'Ada');
    const edit = () => customVoices.edit(id, voice_id, { description: '\0' });
    assert.throws(edit, isAccountsError('invalid', /^description is .*NUL/));
    assert.throws(() => customVoices.get(id, `${voice_id}\0`), isAccountsError('not-found'));
  });
});
