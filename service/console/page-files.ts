import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A file of the page or of one of its folders. The extensions exclude source maps and TypeScript settings. */
const NAME = /^(?:[a-z]+\/)?[a-z][a-z-]*\.(html|css|js|svg)$/;

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

export interface PageFile {
  /** Value of the header Content-Type. */
  type: string;
  body: Buffer<ArrayBuffer>;
}

/**
 * Reads a file of the console page.
 * @param name the path below the page's folder, decoded; any text is safe
 * @returns undefined if the page has no such file
 * @throws the error of the file system if the file exists but cannot be read
 */
export async function readPageFile(name: string): Promise<PageFile | undefined> {
  const type = types[NAME.exec(name)?.[1] ?? ''];
  if (type === undefined) return undefined;
  try {
    return { type, body: Buffer.from(await readFile(path.join(pageFolder(), name))) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the folder beside this file. A service that runs from its sources uses the folder of the build. */
function pageFolder(): string {
  const built = path.join(__dirname, 'page');
  return existsSync(path.join(built, 'main.js')) ? built : path.join(__dirname, '../dist/console/page');
}
