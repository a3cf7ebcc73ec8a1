import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const script = path.join(__dirname, '../../scripts/prose.mjs');

const PLAIN = 'Returns the voice of the account, or the default voice if the account has none.';

/** Each phrase has fewer words than a sentence, so that the check does not read this list. */
const PHRASES: ReadonlyArray<readonly [phrase: string, reason: string]> = [
  ['what comes back', 'a clause stands for a noun'],
  ['whatever is left', 'a clause stands for a noun'],
  ['whoever asks', 'a clause stands for a person or program'],
  ['whose it is', 'a clause stands for a person or program'],
  ['nobody reads it', 'the actor has no name'],
  ['tells the caller', 'programs do not talk'],
  ['says so', 'programs do not talk'],
  ['these are none', 'negated noun'],
  ['is no number', 'negated noun'],
  ['when there is', 'condition without a subject'],
  ['where it is', 'condition without a subject'],
  ['of its own', 'ownership behind the noun'],
  ["of Node-RED's own", 'ownership behind the noun'],
  ['one that is', 'pronoun in place of a noun'],
  ['that of users', 'pronoun in place of a noun'],
  ['as it came', 'vague comparison'],
  ['made of it', 'vague verb'],
  ['is to be', 'hidden obligation'],
  ['own voices', 'second name for one thing'],
];

describe('the prose check', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-prose-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function write(file: string, text: string): Promise<void> {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }

  function check(...args: string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  }

  for (const [phrase, reason] of PHRASES) {
    it(`finds "${phrase}" across a line break`, async () => {
      await write('README.md', `Intro.\n\nHere ${phrase.replaceAll(' ', '\n')} today.\n`);
      const { status, output } = check();
      assert.equal(status, 1);
      assert.ok(
        output.includes(`README.md:3: ${reason}`) || output.includes(`README.md:4: ${reason}`),
        output,
      );
      assert.ok(output.includes(`Here ${phrase} today.`), output);
    });
  }

  it('accepts a plain sentence', async () => {
    await write('README.md', `${PLAIN}\n`);
    const { status, output } = check();
    assert.equal(status, 0);
    assert.match(output, /^docs +0\.0 \(limit [\d.]+\)\n$/);
  });

  it('accepts a hit in a long text and lists it with --all', async () => {
    await write('README.md', `${`${PLAIN}\n`.repeat(80)}Nobody reads this.\n`);
    assert.equal(check().status, 0);
    assert.doesNotMatch(check().output, /README\.md/);
    assert.match(check('--all').output, /^README\.md:81: .*\n {2}Nobody reads this\.$/m);
  });

  it('reads comments, sentences in strings and test titles, but no code', async () => {
    await write('client/example.ts', EXAMPLE);
    const { output } = check('--all');
    const lines = [...output.matchAll(/^client\/example\.ts:(\d+)/gm)].map(([, line]) => Number(line));
    assert.deepEqual(lines, [1, 4, 5, 7, 12]);
  });

  it('reads values of English labels, but no keys and no other language', async () => {
    const label = '{"en-US":\n"nobody",\n"de":"nobody:","ja":"nobody"}';
    await write('nodes/locales/account.json', `{"nobody":{"label":${label},"blank":\n"nobody"}}`);
    await write('service/console/page/locales/de.json', '{"label":"nobody"}');
    const { output } = check('--all');
    assert.deepEqual(output.match(/^\S+:\d+/gm), [
      'nodes/locales/account.json:2',
      'nodes/locales/account.json:4',
    ]);
  });

  it('reads the English part of a help page', async () => {
    await write('nodes/help/account.md', '# de\n\nnobody\n\n# en-US\n\nnobody\n\n# ja\n\nnobody\n');
    assert.deepEqual(check('--all').output.match(/^\S+:\d+/gm), ['nodes/help/account.md:7']);
  });

  it('passes over code and links in Markdown', async () => {
    await write('docs/page.md', '`nobody` [here](nobody.md)\n\n```sh\nnobody\n```\n');
    assert.equal(check().status, 0);
  });

  it('reads only the given files', async () => {
    await write('README.md', 'Nobody reads this.\n');
    await write('docs/page.md', `${PLAIN}\n`);
    assert.equal(check('docs/page.md').status, 0);
    assert.equal(check('docs/page.md', 'README.md').status, 1);
  });
});

/** Line 12 follows strings and expressions that only look like the start of a comment. */
const EXAMPLE = [
  '/** WORD. */',
  'const WORD = 1; const name = "WORD";',
  '// One',
  '// thing. WORD.',
  'throw new Error(`the value ${WORD} is WORD`);',
  "const url = 'http://WORD';",
  "it('waits for WORD at all', () => {});",
  'const quote = /[\'"]/;',
  'const nested = `${quote ? `WORD` : "WORD"}`;',
  'const half = WORD / 2 / WORD;',
  'WORD();',
  'f(/\\/\\//, "//"); // WORD',
]
  .join('\n')
  .replaceAll('WORD', 'nobody');
