import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { textsIn } from '../../../../scripts/build/texts.mjs';
import { useNodeRed } from '../../../support/node-red/shared-node-red.js';
import { view } from '../../runtime/activity/observed.js';
import { nodeOf, pressOf } from '../saved.js';

const ROOT = path.resolve(__dirname, '../../../..');
const SCRIPTS = path.join(ROOT, 'nodes/editor/sidebar');
const CATALOGUE = '@herald-speech/node-red/herald-sidebar';

type Words = { [key: string]: string | Words };
const words: z.ZodType<Words> = z.record(z.string(), z.union([z.string(), z.lazy(() => words)]));
const source = (language: string): Words => words.parse(textsIn('sidebar', language));

const keysOf = (tree: Words, prefix = ''): string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  );

describe('the texts of the sidebar', () => {
  it('are all used, and each used text exists', () => {
    const scripts = readdirSync(SCRIPTS).map((file) => readFileSync(path.join(SCRIPTS, file), 'utf8'));
    const code = scripts.join('\n');
    const used = new Set([...code.matchAll(/'([a-z-]+(?:\.[a-z-]+)?)'/g)].map(([, key]) => key));
    const prefixes = [...code.matchAll(/`([a-z]+\.)\$\{/g)].map(([, prefix = '']) => prefix);
    const keys = keysOf(source('en-US'));
    const isUsed = (key: string) => used.has(key) || prefixes.some((prefix) => key.startsWith(prefix));
    assert.deepEqual(
      keys.filter((key) => !isUsed(key)),
      [],
    );
    const called = [...code.matchAll(/words\('([a-z.-]+)'/g)].map(([, key = '']) => key);
    assert.deepEqual(
      called.filter((key) => !keys.includes(key)),
      [],
    );
  });
});

describe('the plugin of the sidebar', () => {
  const nodeRed = useNodeRed();

  for (const language of ['en-US', 'de', 'es', 'ja', 'ko']) {
    it(`has its texts and those of failed requests in ${language}`, async () => {
      const reply = await fetch(`${nodeRed().url}plugins/messages?lng=${language}`, {
        headers: { accept: 'application/json' },
      });
      const catalogue = z.record(z.string(), words).parse(await reply.json())[CATALOGUE];
      const { trouble, ...own } = catalogue ?? {};
      assert.deepEqual(own, source(language));
      assert.deepEqual(keysOf(words.parse(trouble)), ['no-permission', 'no-runtime']);
    });
  }

  it('shows the error of an announcement in the language of each editor', async () => {
    const speak = {
      ...nodeOf('speak', 'text-to-speech', 1),
      account: '',
      text: 'Hello.',
      textType: 'str',
      voice_id: 'nobody',
    };
    await nodeRed().deploy([{ id: 'tab', type: 'tab', label: 'Speech' }, speak, pressOf('press', 'speak')]);
    await nodeRed().inject('press');
    const messageIn = async (language: string) => {
      const headers = { 'accept-language': language };
      const reply = await fetch(`${nodeRed().url}herald/activity`, { headers });
      const { announcements } = view.parse(await reply.json());
      return announcements.find(({ voice }) => voice === 'nobody')?.error?.message;
    };
    while ((await messageIn('en')) === undefined) await new Promise(setImmediate);
    assert.match((await messageIn('en')) ?? '', /the service has no such voice/);
    assert.match((await messageIn('de')) ?? '', /Stimme/);
  });
});
