import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from '@herald-speech/client';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
const report = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});

/** All items of a list have the same parts, so the checker reads the first eight. It takes a second for 200 items. */
const LATER_ITEMS = '.item:nth-child(n + 9)';

interface Checks {
  part?: string | undefined;
  rules?: readonly string[];
  hasKnownColours?: boolean;
}

/**
 * Asserts that the accessibility checker finds no violation.
 * @param options `part`: selector of the part to check, which is quicker than the whole page; `rules`: the only rules to check;
 * `hasKnownColours`: leaves out the contrasts, which take two thirds of the time
 */
export async function accessible(
  page: Page,
  { part = 'html', rules, hasKnownColours = false }: Checks = {},
): Promise<void> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe);
  const context = { include: [part], exclude: [LATER_ITEMS] };
  const options = {
    resultTypes: ['violations'],
    rules: { 'color-contrast': { enabled: !hasKnownColours } },
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  };
  const { violations } = report.parse(
    await page.evaluate(`axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})`),
  );
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
    [],
  );
}
