import { randomBytes } from 'node:crypto';
import { abridged } from '@herald-speech/client/interface';
import { z } from 'zod';
import type { Database } from './store/database.js';
import { AccountsError } from '../kit/errors.js';
import { unknownVoice } from '../kit/unknown-voice.js';

const voiceRow = z.object({
  /** Place in the list. A place is never reused. */
  place: z.int(),
  voice_id: z.string(),
  /** Identifier of the account that created the voice. */
  account: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** Identifier of the preset voice that approximates the sample. */
  preset: z.string(),
  /** Semitones from the preset voice to the sample. */
  pitchShift: z.number(),
  /** Pitch range relative to the preset voice. */
  pitchVariance: z.number(),
  /** Speaking rate relative to the preset voice. */
  rate: z.number(),
  /** File name of the sample. */
  sample: z.string(),
  created: z.int().transform((at) => new Date(at).toISOString()),
});

export type CustomVoiceRow = Readonly<z.output<typeof voiceRow>>;

/** A custom voice to add. A caller that has stored the sample under an identifier passes that identifier. */
export type NewCustomVoice = Omit<CustomVoiceRow, 'place' | 'voice_id' | 'account' | 'created'> & {
  voice_id?: string;
};

/** Maximum number of custom voices per account. It bounds memory (docs/interface.md#local-service). */
export const MAX_CUSTOM_VOICES = 1000;

const SELECT = `SELECT place, voice_id, account, name, description, preset, pitch_shift AS pitchShift,
  pitch_variance AS pitchVariance, rate, sample, created FROM clones`;

/** The custom voices of all accounts, in the database. A method returns after its change is on disk. */
export class CustomVoices {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
  }

  /** Returns the identifier of a new voice. */
  static newId(): string {
    return `clone-${randomBytes(8).toString('hex')}`;
  }

  /**
   * Adds a voice.
   * @throws AccountsError `conflict` if the account has the maximum number, `invalid` for a text with a NUL character
   */
  add(account: string, { voice_id = CustomVoices.newId(), ...voice }: NewCustomVoice): CustomVoiceRow {
    if (this.list(account).length >= MAX_CUSTOM_VOICES) {
      const message = `the account has the maximum of ${MAX_CUSTOM_VOICES} custom voices: delete one first`;
      throw new AccountsError('conflict', message);
    }
    const { name, description, preset, pitchShift, pitchVariance, rate, sample } = voice;
    checkText('name', name);
    checkText('description', description);
    const sound = [preset, pitchShift, pitchVariance, rate, sample];
    const values = [voice_id, account, name, description, ...sound, this.#now()];
    const sql = `INSERT INTO clones (voice_id, account, name, description, preset, pitch_shift, pitch_variance, rate,
      sample, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    this.#database.run(sql, values);
    return this.get(account, voice_id);
  }

  /**
   * Returns a voice of the account.
   * @throws AccountsError `not-found`, or `forbidden` for a voice of another account (docs/interface.md#voice-id)
   */
  get(account: string, id: string): CustomVoiceRow {
    const found = this.#find(id);
    if (found === undefined) throw new AccountsError('not-found', unknownVoice(id));
    if (found.account === account) return found;
    const message = `voice_id ${abridged(id)}: the voice belongs to another account. Use a key of that account`;
    throw new AccountsError('forbidden', message);
  }

  /** Returns whether any account has the voice. */
  has(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  /** Returns the voices of an account in the order of creation. */
  list(account: string): CustomVoiceRow[] {
    return this.#database.all(voiceRow, `${SELECT} WHERE account = ? ORDER BY place`, [account]);
  }

  /** Changes the given fields. @throws AccountsError `not-found`, `forbidden` or `invalid` */
  edit(
    account: string,
    id: string,
    changes: { name?: string | undefined; description?: string | undefined },
  ): CustomVoiceRow {
    const before = this.get(account, id);
    const { name = before.name, description = before.description } = changes;
    checkText('name', name);
    checkText('description', description);
    this.#database.run('UPDATE clones SET name = ?, description = ? WHERE voice_id = ?', [
      name,
      description,
      id,
    ]);
    return this.get(account, id);
  }

  /** Deletes a voice and returns it. The caller deletes the sample. @throws AccountsError `not-found` or `forbidden` */
  remove(account: string, id: string): CustomVoiceRow {
    const removed = this.get(account, id);
    this.#database.freeing(() => this.#database.run('DELETE FROM clones WHERE voice_id = ?', [id]));
    return removed;
  }

  #find(id: string): CustomVoiceRow | undefined {
    return isStorable(id) ? this.#database.get(voiceRow, `${SELECT} WHERE voice_id = ?`, [id]) : undefined;
  }
}

/** Returns whether the database keeps the text. It would cut the text at a NUL character. */
function isStorable(text: string): boolean {
  return !text.includes('\0');
}

function checkText(field: string, text: string | null): void {
  if (text === null || isStorable(text)) return;
  throw new AccountsError('invalid', `${field} is ${abridged(text)}: expected a text without NUL characters`);
}
