/** Values that the owner of the project sets before the first release, and the fields of the packages that follow from them. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Address of the public repository without `.git`, for example `https://git.example.org/herald/herald`. */
export const REPOSITORY = '';

/** Contact for reports of security problems: a URL with `https:` or `mailto:`. */
export const SECURITY_CONTACT = '';

/**
 * The packages by their folders.
 * @type {readonly string[]}
 */
const PACKAGES = ['.', 'client', 'audio', 'service', 'fleet', 'neural', 'speakers'];

/** @typedef {Record<string, unknown>} Manifest The contents of a `package.json`. */

/**
 * Returns a manifest with `homepage`, `bugs` and `repository` after the licence. Without a repository, the fields are absent.
 * @param {Manifest} manifest
 * @param {string} folder folder of the package in the repository
 * @param {string} repository address as in `REPOSITORY`
 * @returns {Manifest}
 */
export function withOwner(manifest, folder, repository) {
  const { homepage: _homepage, bugs: _bugs, repository: _repository, ...rest } = manifest;
  if (repository === '') return rest;
  const directory = folder === '.' ? {} : { directory: folder };
  const fields = {
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: 'git', url: `git+${repository}.git`, ...directory },
  };
  const entries = Object.entries(rest);
  const position = entries.findIndex(([name]) => name === 'license') + 1;
  return Object.fromEntries([
    ...entries.slice(0, position),
    ...Object.entries(fields),
    ...entries.slice(position),
  ]);
}

/**
 * Writes the contact for security problems, if it differs.
 * @param {string} file
 * @param {string} contact
 */
function writeContact(file, contact) {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(
    /^Contact: .*$/m,
    () => `Contact: ${contact === '' ? 'not set yet' : contact}`,
  );
  if (after !== before) writeFileSync(file, after);
}

/**
 * Writes the fields to the packages and the contact to `SECURITY.md`, if a value differs.
 * @param {string} root the checkout
 * @param {string} [repository]
 * @param {string} [contact]
 */
export function writeOwner(root, repository = REPOSITORY, contact = SECURITY_CONTACT) {
  writeContact(path.join(root, 'SECURITY.md'), contact);
  for (const folder of PACKAGES) {
    const file = path.join(root, folder, 'package.json');
    const before = readFileSync(file, 'utf8');
    const after = `${JSON.stringify(withOwner(JSON.parse(before), folder, repository), null, 2)}\n`;
    if (after !== before) writeFileSync(file, after);
  }
}
