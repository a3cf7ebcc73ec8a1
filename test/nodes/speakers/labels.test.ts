import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SpeechError, z } from '@herald-speech/client';
import { localizeError } from '../../../nodes/runtime/localize.js';
import { speakerOf } from '../../../nodes/speakers/speaker-node.js';
import { languages, translatorFor } from '../../support/node-red/runtime-texts.js';

const LOCALES = path.resolve(__dirname, '../../../dist/nodes/locales');
const dialog = z.object({ max_volume: z.string(), wake_up: z.object({ label: z.string() }) });
const labelsIn = (language: string) => {
  const { max_volume, wake_up } = dialog.parse(
    JSON.parse(readFileSync(path.join(LOCALES, language, 'speaker.json'), 'utf8')),
  );
  return { max_volume, wake_up: wake_up.label };
};

describe('the error of a wrong number of a speaker', () => {
  for (const language of ['en-US', ...languages])
    it(`has the label of the dialog and the range in ${language}`, async () => {
      const translator = await translatorFor(language);
      const labels = labelsIn(language);
      for (const [field, max] of [
        ['max_volume', '100'],
        ['wake_up', '3'],
      ] as const)
        assert.throws(
          () => speakerOf('id', { name: 'kitchen', kind: 'mpd', address: '10.0.0.7', [field]: '-7' }),
          (error) => {
            assert.ok(error instanceof SpeechError);
            const { message } = localizeError(translator, error);
            assert.ok(!message.includes(field), message);
            for (const part of ['kitchen', labels[field], '-7', max])
              assert.ok(message.includes(part), message);
            return true;
          },
        );
    });
});
