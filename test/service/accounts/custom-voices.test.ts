import assert from 'node:assert/strict';
import { isAccountsError, newAccount, useLedger } from './support.js';

/** docs/interface.md#custom-voices */
describe('the custom voices in the database', () => {
  const { ledger, reopen } = useLedger();
  const voice = (name: string) => ({
    name,
    description: 'from a sample',
    preset: 'rms',
    pitchShift: -1.5,
    pitchVariance: 1.2,
    rate: 1.1,
    sample: 'sample.wav',
  });
  const add = (account: string, name: string) => ledger().customVoices.add(account, voice(name));

  it('returns an unchanged voice after a restart', () => {
    const { id } = newAccount(ledger());
    const made = add(id, 'Ada');
    assert.match(made.voice_id, /^clone-[0-9a-f]{16}$/);
    const { voice_id, place, account, created, ...rest } = reopen().customVoices.get(id, made.voice_id);
    assert.deepEqual({ voice_id, place, account, created, ...rest }, made);
    assert.deepEqual([rest, account], [voice('Ada'), id]);
  });

  it('rejects a voice of another account as forbidden, and an unknown voice as not found', () => {
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

  it('changes the given fields and keeps the others', () => {
    const { customVoices } = ledger();
    const { id } = newAccount(ledger());
    const { voice_id } = add(id, 'Ada');
    customVoices.edit(id, voice_id, { name: 'Eva' });
    const { name, description } = reopen().customVoices.get(id, voice_id);
    assert.deepEqual([name, description], ['Eva', 'from a sample']);
    assert.equal(ledger().customVoices.edit(id, voice_id, { description: '' }).description, '');
  });

  it('deletes a voice and returns it', () => {
    const { id } = newAccount(ledger());
    const made = add(id, 'Ada');
    assert.deepEqual(ledger().customVoices.remove(id, made.voice_id), made);
    assert.throws(() => reopen().customVoices.get(id, made.voice_id), isAccountsError('not-found'));
  });

  it('never reuses the place of a deleted voice', () => {
    const { customVoices } = ledger();
    const { id } = newAccount(ledger());
    const made = Array.from({ length: 5 }, (_, index) => add(id, `voice ${index}`));
    customVoices.remove(id, made[4]?.voice_id ?? '');
    const last = add(id, 'later');
    assert.deepEqual(customVoices.list(id), [...made.slice(0, 4), last]);
    assert.ok(last.place > (made[4]?.place ?? 0));
  });

  it('rejects a text with a NUL character', () => {
    const { customVoices } = ledger();
    const { id } = newAccount(ledger());
    assert.throws(() => add(id, 'a\0b'), isAccountsError('invalid', /^name is .*NUL/));
    const { voice_id } = add(id, 'Ada');
    const edit = () => customVoices.edit(id, voice_id, { description: '\0' });
    assert.throws(edit, isAccountsError('invalid', /^description is .*NUL/));
    assert.throws(() => customVoices.get(id, `${voice_id}\0`), isAccountsError('not-found'));
  });
});
