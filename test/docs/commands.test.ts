import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '../support/programs/describe-with.js';
import {
  documentedLines,
  elsewhere,
  isRunnable,
  runDocumentedCommands,
} from '../../scripts/tests/documented-commands.mjs';

const root = path.join(__dirname, '../..');

describe('the commands in the documentation', () => {
  it('have a test each', () => {
    for (const { page, line } of documentedLines()) {
      const known = Object.keys(elsewhere).some((start) => line.startsWith(start));
      assert.ok(known || isRunnable(line), `${page}: "${line}" has no test in documented-commands.mjs`);
    }
    const inSentence = 'npx herald-service accounts create home --tier pro --credits 3600';
    assert.ok(documentedLines().some(({ line }) => line === inSentence));
    for (const file of Object.values(elsewhere)) assert.ok(existsSync(path.join(root, file)), file);
  });
});

describeWith(['curl'], 'the commands in the documentation, in a clone', function () {
  this.timeout(300_000);

  it('work', async () => {
    const ran = await runDocumentedCommands(root, { npx: 'sample' });
    assert.ok(ran.length > 20, ran.join('\n'));
  });
});
