import type { Page } from 'playwright-core';

/** Opens all folds of the dialog, also those that the page remembers as open: a click would close these. */
export const openFolds = (page: Page) =>
  page.evaluate(`document.querySelectorAll('.herald-more').forEach((fold) => { fold.open = true; })`);
