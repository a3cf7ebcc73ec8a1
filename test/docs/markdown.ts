import assert from 'node:assert/strict';

/** A row of a table: the text of each cell by the heading of its column, without back quotes. */
export type Row = ReadonlyMap<string, string>;

/** Returns the slug that GitHub gives to a heading. */
export function slugOf(heading: string): string {
  const kept = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');
  return kept.trim().replaceAll(' ', '-');
}

/** Splits a page at its headings. Returns the text below each heading by the slug of the heading. */
export function sectionsOf(page: string): Map<string, string> {
  const pieces = page.split(/^#{1,6} (.+)$/mu);
  const sections = new Map<string, string>();
  for (let index = 1; index < pieces.length; index += 2) {
    const slug = slugOf(pieces[index] ?? '');
    assert.ok(!sections.has(slug), `two headings have the anchor #${slug}`);
    sections.set(slug, pieces[index + 1] ?? '');
  }
  return sections;
}

/** Returns the rows of the first table whose first column has this heading. A cell must not contain a pipe. */
export function tableOf(section: string, first: string): Row[] {
  const lines = section.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|') && cellsOf(line)[0] === first);
  assert.ok(start >= 0, `the section has no table whose first column is "${first}"`);
  const columns = cellsOf(lines[start] ?? '');
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  const body = lines.slice(start + 2, end < 0 ? undefined : end);
  return body.map((line) => new Map(cellsOf(line).map((cell, index) => [columns[index] ?? '', cell])));
}

/** Returns the text of a cell. Fails if the table has no such column. */
export function cellOf(row: Row, column: string): string {
  return row.get(column) ?? assert.fail(`the table has no column "${column}"`);
}

/** Returns the anchors of the links `[text](#anchor)` in a text. */
export function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(#([\w-]+)\)/g)].flatMap(([, anchor]) => anchor ?? []);
}

function cellsOf(line: string): string[] {
  const cells = line.split('|').slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll('`', ''));
}
