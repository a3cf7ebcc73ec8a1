import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NaturalVoiceError, type NaturalVoiceFailure } from '../../../../service/voices/installed/errors.js';
import { sourceLimits } from '../../../../service/voices/natural/transfer/http-source.js';
import type { VoiceEntry } from '../../../../service/voices/natural/install/install.js';
import { md5Of } from '../../../support/natural/voice-mirror.js';

/** Short times for the tests of faults. */
export const testLimits = { ...sourceLimits, idle: 300, backoff: 1 };

/** Returns a validator of a NaturalVoiceError. */
export const isError = (kind: NaturalVoiceFailure, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof NaturalVoiceError, String(error));
  assert.match(error.message, words);
  assert.equal(error.kind, kind);
  return true;
};

/** Returns the catalogue entry of a voice whose files are in `folder`, below `root`. */
export function entryOf(root: string, folder: string, name: string): VoiceEntry {
  const files = [`${name}.onnx`, `${name}.onnx.json`, 'MODEL_CARD'].map((file) => {
    const content = readFileSync(path.join(root, folder, file));
    return { path: `${folder}/${file}`, bytes: content.length, md5: md5Of(content) };
  });
  const facts = { language: 'de', region: 'DE', quality: 'medium', title: 'Stub', gender: null } as const;
  return { name, ...facts, files };
}

/** Returns the consent with the model card in a folder. */
export function consentWith(folder: string) {
  const card = readFileSync(path.join(folder, 'MODEL_CARD'));
  const cardSha256 = createHash('sha256').update(card).digest('hex');
  return { licence: 'CC0', isNonCommercial: false, cardSha256, at: '2026-11-22T06:00:00.000Z' };
}
