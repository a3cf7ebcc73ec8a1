/** Tests that mostly wait, for example for the end of a sound. */

/**
 * Returns a function that defines tests as `it`. The first test starts the work of all of them at the same time: each needs parts of
 * its own. Call it inside `describe`.
 */
export function testsAtOnce(): (title: string, work: () => Promise<unknown>) => void {
  const works: (() => Promise<unknown>)[] = [];
  let results: readonly Promise<unknown>[] = [];
  before(() => {
    results = works.map((work) => work());
    // Each test reports its own failure, also a failure before its turn.
    void Promise.allSettled(results);
  });
  after(() => Promise.allSettled(results));
  return (title, work) => {
    const index = works.push(work) - 1;
    it(title, async () => {
      await results[index];
    });
  };
}
