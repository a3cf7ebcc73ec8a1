const PACKAGE = '@herald-speech/neural';

/** Returns the command that installs the packages that the service names in its hint, in Node-RED's user folder. */
export function commandIn(hint: string): string {
  const packages = [...hint.matchAll(/"npm install ([^"]+)"/g)].map(([, name = '']) => name);
  return `npm install ${packages.join(' ') || PACKAGE}`;
}
