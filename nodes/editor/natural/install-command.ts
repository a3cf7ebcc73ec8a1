const ENGINE = 'npm install @herald-speech/neural';

/** The command of a clone of the repository. It belongs to the folder of the clone. */
export const OF_CLONE = 'npm run natural';

/** Returns the command that installs all packages that the service names in its hint. */
export function commandIn(hint: string): string {
  if (hint.includes(`"${OF_CLONE}"`)) return OF_CLONE;
  const packages = [...hint.matchAll(/"npm install ([^"]+)"/g)].map(([, name = '']) => name);
  return packages.length === 0 ? ENGINE : `npm install ${packages.join(' ')}`;
}
