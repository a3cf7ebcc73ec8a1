/**
 * Writes `service/voices/installed/native-release.json`: the version of onnxruntime-node that users can install, the digest of its package,
 * and the sizes, measured from the package. Use: node scripts/native-release.mjs PACKAGE.tgz, a file of
 * "npm pack onnxruntime-node@VERSION".
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [archive = ''] = process.argv.slice(2);
const BINARIES = /^package\/bin\/napi-v\d+\/(\w+)\/(\w+)\//;
const tar = (/** @type {string[]} */ ...words) =>
  execFileSync('tar', words, { encoding: 'utf8', maxBuffer: 2 ** 26 });
const { version } = JSON.parse(tar('xzOf', archive, 'package/package.json'));
const content = readFileSync(archive);
/** @type {Record<string, number>} */
const platforms = {};
for (const line of tar('tvzf', archive).trim().split('\n')) {
  const [, , bytes, , , name = ''] = line.split(/\s+/);
  const [, platform, machine] = BINARIES.exec(name) ?? [];
  if (platform)
    platforms[`${platform}-${machine}`] = (platforms[`${platform}-${machine}`] ?? 0) + Number(bytes);
}
const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
const release = { version, integrity, bytes: content.length, platforms };
const file = path.join(import.meta.dirname, '../service/voices/installed/native-release.json');
writeFileSync(file, `${JSON.stringify(release, undefined, 2)}\n`);
