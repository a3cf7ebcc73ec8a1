import { lazy, z } from '@herald-speech/client';
import type { PromptFile } from './prompt-file.js';

/** The version of the lines. A higher one belongs to a later version of Herald. */
const VERSION = 1;
/** UTF-16 code units of the longest file name. Linux permits 4,096 bytes. */
const MAX_NAME = 4096;

/** Whether a name is a relative path with `/` that stays in the folder. A user can have edited the manifest. */
function isInnerName(name: string): boolean {
  const isPlain = name.length <= MAX_NAME && !/[\p{Cc}\p{Cs}\\]|^[a-z]:/iu.test(name);
  return isPlain && name.split('/').every((part) => !/^(?:|\.|\.\.|\.herald-.*)$/i.test(part));
}

const lines = lazy(() => {
  const innerName = z.string().refine(isInnerName);
  const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
  const fileLine = z.object({
    filename: innerName,
    hash: sha256,
    text: z.string(),
    seconds: z.number().nonnegative(),
    bytes: z.int().nonnegative(),
    sha256,
    modifiedMs: z.int(),
    voice_id: z.string(),
    language: z.string(),
    madeAt: z.string(),
  }) satisfies z.ZodType<PromptFile>;
  const removedLine = z.object({ removed: innerName });
  const folderLine = z.object({ folder: innerName });
  const folderRemovedLine = z.object({ folderRemoved: innerName });
  return {
    line: z.union([fileLine, removedLine, folderLine, folderRemovedLine]),
    header: z.object({ herald: z.literal('prompts'), version: z.number() }),
  };
});

export type Line = z.output<ReturnType<typeof lines>['line']>;

/** The first line of a manifest. */
export const HEADER = encodeLine({ herald: 'prompts', version: VERSION });

/** Returns a line with its line end. */
export function encodeLine(value: Line | z.output<ReturnType<typeof lines>['header']>): string {
  return `${JSON.stringify(value)}\n`;
}

/** Returns a line, `header`, `later` for the header of a later version, or undefined if the line is damaged. */
export function decodeLine(text: string): Line | 'header' | 'later' | undefined {
  const value = parsed(text);
  const { line, header } = lines();
  const found = line.safeParse(value);
  if (found.success) return found.data;
  const first = header.safeParse(value);
  if (!first.success) return undefined;
  return first.data.version > VERSION ? 'later' : 'header';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The files and folders that the lines of a manifest describe, after the last line. */
export class Entries {
  readonly files = new Map<string, PromptFile>();
  /** The folders that runs have made, as relative paths. */
  readonly folders = new Set<string>();

  apply(line: Line): void {
    if ('filename' in line) this.files.set(line.filename, line);
    else if ('removed' in line) this.files.delete(line.removed);
    else if ('folder' in line) this.folders.add(line.folder);
    else this.folders.delete(line.folderRemoved);
  }

  /** The lines of a manifest with these entries and no others. */
  *lines(): Generator<Line, void, undefined> {
    for (const folder of this.folders) yield { folder };
    yield* this.files.values();
  }

  /** Number of `lines`. */
  get size(): number {
    return this.files.size + this.folders.size;
  }
}
