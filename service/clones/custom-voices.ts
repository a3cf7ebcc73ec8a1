import { randomBytes } from 'node:crypto';
import { abridged } from '@herald-speech/client/interface';
import { z } from 'zod';
import type { Database } from '../store/database.js';
import { AccountsError } from '../accounts/accounts-error.js';

const voiceRow = z.object({
  /** Where it stands in the list; no place is given twice. */
  place: z.int(),
  voice_id: z.string(),
  /** The identifier of the account that made it. */
  account: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** The preset voice that it is spoken with. */
  preset: z.string(),
  /** Semitones between the two. */
  pitchShift: z.number(),
  /** Liveliness of the melody relative to the preset voice. */
  pitchVariance: z.number(),
  /** Speed relative to the preset voice. */
  rate: z.number(),
  /** Name of the sample's file. */
  sample: z.string(),
  created: z.int().transform((at) => new Date(at).toISOString()),
});

export type CustomVoiceRow = Readonly<z.output<typeof voiceRow>>;

/** What a caller brings. The identifier may come along, where the sample lies under it already. */
export type NewCustomVoice = Omit<CustomVoiceRow, 'place' | 'voice_id' | 'account' | 'created'> & {
  voice_id?: string;
};

/** Voices of one account: bounds memory, not taste. */
export const MAX_CUSTOM_VOICES = 1000;

const SELECT = `SELECT place, voice_id, account, name, description, preset, pitch_shift AS pitchShift,
  pitch_variance AS pitchVariance, rate, sample, created FROM clones`;

/** The own voices of all accounts. What a method returns or accepted is on the disk; the samples are files. */
export class CustomVoices {
  constructor(
    private readonly database: Database,
    private readonly now: () => number = Date.now,
  ) {}

  /** An identifier for a voice to come. */
  static newId(): string {
    return `clone-${randomBytes(8).toString('hex')}`;
  }

  /** @throws AccountsError `conflict` when there is no room for another, `invalid` for a text that can't be kept */
  add(account: string, { voice_id = CustomVoices.newId(), ...voice }: NewCustomVoice): CustomVoiceRow {
    if (this.list(account).length >= MAX_CUSTOM_VOICES) {
      throw new AccountsError('conflict', `no more than ${MAX_CUSTOM_VOICES} own voices`);
    }
    const { name, description, preset, pitchShift, pitchVariance, rate, sample } = voice;
    checkText('name', name);
    checkText('description', description);
    const look = [preset, pitchShift, pitchVariance, rate, sample];
    const values = [voice_id, account, name, description, ...look, this.now()];
    const sql = `INSERT INTO clones (voice_id, account, name, description, preset, pitch_shift, pitch_variance, rate,
      sample, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    this.database.run(sql, values);
    return this.get(account, voice_id);
  }

  /**
   * A voice that the account may use.
   * @throws AccountsError `not-found`, or `forbidden` for one of another account (docs/interface.md#voice-id)
   */
  get(account: string, id: string): CustomVoiceRow {
    const found = this.#find(id);
    if (found === undefined) throw new AccountsError('not-found', `there is no voice ${abridged(id)}`);
    if (found.account === account) return found;
    throw new AccountsError('forbidden', `the voice ${abridged(id)} is another account's`);
  }

  /** Whether there is such a voice, whosever it is. */
  has(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  /** In the order of their making. */
  list(account: string): CustomVoiceRow[] {
    return this.database.all(voiceRow, `${SELECT} WHERE account = ? ORDER BY place`, [account]);
  }

  /** What is left out stays. @throws AccountsError as `get` and `add` */
  edit(
    account: string,
    id: string,
    changes: { name?: string | undefined; description?: string | undefined },
  ): CustomVoiceRow {
    const before = this.get(account, id);
    const { name = before.name, description = before.description } = changes;
    checkText('name', name);
    checkText('description', description);
    this.database.run('UPDATE clones SET name = ?, description = ? WHERE voice_id = ?', [
      name,
      description,
      id,
    ]);
    return this.get(account, id);
  }

  /** Returns what it was, whose sample is now nobody's. @throws AccountsError as `get` */
  remove(account: string, id: string): CustomVoiceRow {
    const removed = this.get(account, id);
    this.database.run('DELETE FROM clones WHERE voice_id = ?', [id]);
    return removed;
  }

  #find(id: string): CustomVoiceRow | undefined {
    return isStorable(id) ? this.database.get(voiceRow, `${SELECT} WHERE voice_id = ?`, [id]) : undefined;
  }
}

/** A text ends at its first NUL in the database. */
function isStorable(text: string): boolean {
  return !text.includes('\0');
}

function checkText(field: string, text: string | null): void {
  if (text === null || isStorable(text)) return;
  throw new AccountsError('invalid', `${field} is ${abridged(text)}: expected a text without NUL characters`);
}
