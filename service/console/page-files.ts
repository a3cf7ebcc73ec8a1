import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A plain name, with the endings that a browser is served; source maps are not among them. */
const NAME = /^[a-z][a-z-]*\.(html|css|js|svg)$/;

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

export interface PageFile {
  type: string;
  body: Buffer<ArrayBuffer>;
}

/**
 * Reads a file of the page.
 * @returns undefined for what is no file of it, whatever the name says
 */
export async function readPageFile(name: string): Promise<PageFile | undefined> {
  const type = types[NAME.exec(name)?.[1] ?? ''];
  if (type === undefined) return undefined;
  try {
    return { type, body: Buffer.from(await readFile(path.join(folderOfPage(), name))) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Beside this file; where the service runs from its sources, where the build puts it. */
function folderOfPage(): string {
  const built = path.join(__dirname, 'page');
  return existsSync(path.join(built, 'main.js')) ? built : path.join(__dirname, '../dist/console/page');
}
