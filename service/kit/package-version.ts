import { z } from 'zod';

/** Returns the version of the service. */
export function packageVersion(): string {
  const description: unknown = require('@herald-speech/local-service/package.json');
  return z.object({ version: z.string() }).parse(description).version;
}
