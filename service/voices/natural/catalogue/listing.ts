import { z } from 'zod';
import { type ListedFacts, parseName, pathsOf, type VoiceName } from './catalogue.js';
import { NaturalVoiceError } from '../../installed/errors.js';

/** Name of the listing in the voice repository. */
export const LISTING = 'voices.json';
/** Maximum bytes of a listing. The public one has 225,000. */
export const MAX_LISTING = 10_000_000;
/** Maximum number of voices in a listing. */
const MAX_VOICES = 10_000;

const file = z.object({
  size_bytes: z.int().min(1).max(1_000_000_000),
  md5_digest: z.string().regex(/^[0-9a-f]{32}$/),
});

/** An entry of the listing, as the public repository documents it. */
const entry = z.object({ num_speakers: z.int().min(1).max(10_000), files: z.record(z.string(), file) });

export interface CatalogueListing {
  voices: Record<string, ListedFacts>;
  /** Names of the entries that are invalid. */
  invalid: string[];
}

/**
 * Reads a listing of the voice repository. The file is untrusted. Names of another form are skipped.
 * @throws NaturalVoiceError `invalid` if the file is not a valid listing, or more than half of its entries are invalid
 */
export function readListing(bytes: Uint8Array): CatalogueListing {
  const entries = entriesOf(bytes);
  const known = entries.flatMap(([key, value]) => {
    const name = key.normalize('NFC');
    const parts = parseName(name);
    return parts === undefined ? [] : [[name, readEntry(name, parts, value)] as const];
  });
  const invalid = known.filter(([, voice]) => voice === undefined).map(([name]) => name);
  if (known.length === 0 || invalid.length * 2 > known.length) {
    const [example] = invalid;
    throw wrong(example === undefined ? 'it has no voices' : `${example} and others are invalid`);
  }
  const voices = known.flatMap(([name, voice]) => (voice === undefined ? [] : [[name, voice] as const]));
  return { voices: Object.fromEntries(voices), invalid };
}

function entriesOf(bytes: Uint8Array): Array<[string, unknown]> {
  const listing = z.record(z.string(), z.unknown()).safeParse(parsed(bytes));
  if (!listing.success) throw wrong('expected a JSON object with the voices by name');
  const entries = Object.entries(listing.data);
  if (entries.length > MAX_VOICES) throw wrong(`expected at most ${MAX_VOICES} voices`);
  return entries;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Returns undefined for an entry that breaks the format, or whose files do not have the paths of the voice. */
function readEntry(name: string, parts: VoiceName, value: unknown): ListedFacts | undefined {
  const parsed = entry.safeParse(value);
  if (!parsed.success) return undefined;
  const byPath = new Map(
    Object.entries(parsed.data.files).map(([path, file]) => [path.normalize('NFC'), file]),
  );
  const files = pathsOf(name, parts).flatMap((path) => byPath.get(path) ?? []);
  if (files.length !== 3 || byPath.size !== 3) return undefined;
  return {
    speakers: parsed.data.num_speakers,
    files: files.map(({ size_bytes, md5_digest }) => ({ bytes: size_bytes, md5: md5_digest })),
  };
}

function wrong(reason: string): NaturalVoiceError {
  const fix = 'The present catalogue remains. Check the address of the voice repository';
  return new NaturalVoiceError('invalid', `${LISTING}: ${reason}. ${fix}`);
}
