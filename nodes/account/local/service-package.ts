import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lazy, SpeechError, z } from '@herald-speech/client';
import { say } from '../../runtime/messages.js';

const PACKAGE = '@herald-speech/local-service';

const manifest = lazy(() =>
  z.object({ version: z.string().default(''), bin: z.object({ 'herald-service': z.string() }) }),
);

/** The installed package of the local service. */
interface ServicePackage {
  version: string;
  /** Path of the service's command. */
  command: string;
}

/** Finds the package of the local service. @throws SpeechError `not-configured` if it is not installed */
export function servicePackage(): ServicePackage {
  try {
    const file = require.resolve(`${PACKAGE}/package.json`);
    const { bin, version } = manifest().parse(JSON.parse(readFileSync(file, 'utf8')));
    return { version, command: path.join(path.dirname(file), bin['herald-service']) };
  } catch (cause) {
    throw new SpeechError('not-configured', say('not-installed', { package: PACKAGE }), { cause });
  }
}
