import { z } from 'zod';

/** Returns the version of an installed package; without a name, of the service. */
export function packageVersion(name = '@herald-speech/local-service'): string {
  const description: unknown = require(`${name}/package.json`);
  return z.object({ version: z.string() }).parse(description).version;
}
