/** Tests that mostly wait, for example for the end of a sound. */

/** With more tests at once, the process of a busy computer does not look at a sound for seconds. */
const MOST = 4;

/**
 * Returns a function that defines tests as `it`. The work of four of them runs at a time, from the first test on: each needs separate
 * parts. Call it inside `describe`.
 */
export function testsAtOnce(): (title: string, work: () => Promise<unknown>) => void {
  const works: (() => Promise<unknown>)[] = [];
  let results: readonly Promise<unknown>[] = [];
  before(() => {
    const lanes = Array.from({ length: MOST }, (): Promise<unknown> => Promise.resolve());
    results = works.map((work, index) => {
      const result = (lanes[index % MOST] ?? Promise.resolve()).then(work, work);
      lanes[index % MOST] = result;
      return result;
    });
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
