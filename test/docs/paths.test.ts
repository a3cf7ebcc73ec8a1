import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');

const FOLDERS = ['.', 'docs', 'docs/decisions', 'client', 'audio', 'service', 'fleet'];
const pages = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.posix.join(folder, file)),
);

const LINK = /\]\((?!https?:)(?<file>[^)#\s]+)[^)]*\)|src(?:set)?="(?<picture>[^"]+)"/g;
/** A path of the repository in back quotes, alone or in a command. */
const QUOTED =
  /`(?:node |npx mocha )?((?:audio(?!\/(?:wav|mpeg)\b)|bench|browser|client|docs|examples|fleet|icons|neural|nodes|scripts|service|test)\/[\w./-]*)`/g;
/** An existing example of each placeholder. */
const PLACEHOLDERS = {
  'NNNN-title': '0001-one-definition-for-each-node',
  ENGINE: 'flite',
  GROUP: 'speech',
  LANG: 'de',
  NAME: 'credits',
};

/** Returns the text of a page without code blocks. */
function textOf(page: string): string {
  return readFileSync(path.join(root, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
}

function exampleOf(file: string): string {
  return Object.entries(PLACEHOLDERS).reduce((found, [name, value]) => found.replaceAll(name, value), file);
}

describe('the documentation', () => {
  for (const page of pages) {
    it(`has only links to existing files in ${page}`, () => {
      const targets = [...textOf(page).matchAll(LINK)].map(
        ({ groups }) => groups?.['file'] ?? groups?.['picture'],
      );
      const missing = targets.filter(
        (target) => !existsSync(path.join(root, path.dirname(page), target ?? '')),
      );
      assert.deepEqual(missing, []);
    });

    it(`has only existing paths in ${page}`, () => {
      const paths = [...textOf(page).matchAll(QUOTED)].map(([, file = '']) => exampleOf(file));
      assert.deepEqual(
        paths.filter((file) => !existsSync(path.join(root, file))),
        [],
      );
    });
  }

  it('has no marks of a merge', () => {
    assert.deepEqual(
      pages.filter((page) => textOf(page).includes('<<<<<<<')),
      [],
    );
  });

  it('lists every decision once in the index, with its title', () => {
    const listed = [...textOf('docs/decisions/README.md').matchAll(/^- \[(.*)\]\((.*)\)$/gm)];
    const files = readdirSync(path.join(root, 'docs/decisions')).filter((file) => /^\d/.test(file));
    assert.deepEqual(
      listed.map(([, title, file]) => `${file}: ${title}`).toSorted(),
      files.map((file) => `${file}: ${/^# (\d{4}: .*)/.exec(textOf(`docs/decisions/${file}`))?.[1]}`),
    );
  });

  it('gives each decision a status, a date, a context, a decision and consequences', () => {
    for (const page of pages.filter((file) => /decisions\/\d/.test(file))) {
      const text = textOf(page);
      assert.match(text, /^# \d{4}: .*\n\n- Status: \S.*\n- Date: \d{4}-\d\d-\d\d\n\n## Context\n/, page);
      assert.deepEqual(text.match(/^## .*$/gm), ['## Context', '## Decision', '## Consequences'], page);
    }
  });
});
