import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type InstalledVoice, readVoice } from '../../../service/voices/installed/installed-voice.js';
import { RECORD } from '../../../service/voices/installed/record.js';
import { fileNamesOf } from '../../../service/voices/installed/voice-name.js';
import { type StubVoice, writeStubVoice } from './stub-voice.js';

/** Writes a stub voice with its record into a folder of natural voices, as an installation does. */
export async function installStub(folder: string, voice: StubVoice): Promise<InstalledVoice> {
  const place = path.join(folder, voice.name);
  await writeStubVoice(place, voice);
  writeFileSync(path.join(place, RECORD), JSON.stringify(recordOf(place, voice)));
  return readVoice(place);
}

function recordOf(place: string, { name, licence = 'CC0' }: StubVoice) {
  const [code = '', title = '', quality = ''] = name.split('-');
  const [language = '', region = ''] = code.split('_');
  const at = '2026-01-01T00:00:00.000Z';
  const files = Object.values(fileNamesOf(name)).map((file) => [file, digestsOf(path.join(place, file))]);
  return {
    name,
    language,
    region,
    quality,
    title,
    gender: null,
    licence,
    isNonCommercial: false,
    source: 'stub',
    installedAt: at,
    files: Object.fromEntries(files),
    consent: { licence, cardSha256: digestsOf(path.join(place, 'MODEL_CARD')).sha256, at },
  };
}

function digestsOf(file: string) {
  const content = readFileSync(file);
  const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex');
  return { bytes: content.length, md5: digest('md5'), sha256: digest('sha256') };
}
