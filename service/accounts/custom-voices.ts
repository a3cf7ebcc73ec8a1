import { randomBytes } from 'node:crypto';
import { PAGE_SIZE } from '@herald-speech/client';
import { z } from 'zod';
import type { Database } from '../store/database.js';
import { numberToken } from '../voices/page.js';
import { AccountsError } from './accounts-error.js';

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

interface Paging {
  page_size?: number | undefined;
  next_page_token?: string | undefined;
}

/** Voices of one account: bounds memory, not taste. */
export const MAX_CUSTOM_VOICES = 1000;

const SELECT = `SELECT place, voice_id, account, name, description, preset, pitch_shift AS pitchShift, rate, sample,
  created FROM clones`;

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

  /** @throws AccountsError `conflict` when there is no room for another */
  add(account: string, { voice_id = CustomVoices.newId(), ...voice }: NewCustomVoice): CustomVoiceRow {
    if (this.list(account).length >= MAX_CUSTOM_VOICES) {
      throw new AccountsError('conflict', `no more than ${MAX_CUSTOM_VOICES} own voices`);
    }
    const { name, description, preset, pitchShift, rate, sample } = voice;
    const values = [voice_id, account, name, description, preset, pitchShift, rate, sample, this.now()];
    const sql = `INSERT INTO clones (voice_id, account, name, description, preset, pitch_shift, rate, sample, created)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    this.database.run(sql, values);
    return this.get(account, voice_id);
  }

  /**
   * A voice that the account may use.
   * @throws AccountsError `not-found`, or `forbidden` for one of another account (service-api.md, 5)
   */
  get(account: string, id: string): CustomVoiceRow {
    const found = this.database.get(voiceRow, `${SELECT} WHERE voice_id = ?`, [id]);
    if (found === undefined) throw new AccountsError('not-found', `there is no voice ${JSON.stringify(id)}`);
    if (found.account === account) return found;
    throw new AccountsError('forbidden', `the voice ${JSON.stringify(id)} is another account's`);
  }

  /** In the order of their making. */
  list(account: string): CustomVoiceRow[] {
    return this.database.all(voiceRow, `${SELECT} WHERE account = ? ORDER BY place`, [account]);
  }

  /**
   * A page of those that match. It goes on after a place, so that voices which come or go meanwhile shift nothing.
   * @throws AccountsError `invalid` for a token that no page gave
   */
  page(account: string, paging: Paging, matches: (voice: CustomVoiceRow) => boolean = () => true) {
    const { page_size = PAGE_SIZE.default, next_page_token = '0' } = paging;
    const after = numberToken.read(next_page_token);
    if (after === undefined) throw new AccountsError('invalid', 'next_page_token is none of a page before');
    const all = this.list(account).filter(matches);
    const rest = all.filter(({ place }) => place > after);
    const items = rest.slice(0, page_size);
    const last = items.at(-1);
    const more = last !== undefined && rest.length > items.length;
    return { items, total: all.length, ...(more && { next_page_token: numberToken.write(last.place) }) };
  }

  /** What is left out stays. @throws AccountsError as `get` */
  edit(
    account: string,
    id: string,
    changes: { name?: string | undefined; description?: string | undefined },
  ): CustomVoiceRow {
    const before = this.get(account, id);
    const { name = before.name, description = before.description } = changes;
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
}
