import type { ChildProcess } from 'node:child_process';

/** The errors of the programs that could not start. */
const failures = new WeakMap<ChildProcess, Promise<never>>();

/**
 * Keeps the error of a program in its own test: without a listener, it would end the test that runs at that moment. Wrap each
 * `spawn` and `fork`, and each wait for output of the program in `fromProgram`.
 * @param debianPackage the package with the program. Default: the name of the program
 */
export function spawned<Child extends ChildProcess>(child: Child, debianPackage = child.spawnfile): Child {
  const failure = new Promise<never>((_resolve, reject) => {
    child.on('error', (error) => reject(explained(error, child.spawnfile, debianPackage)));
  });
  failure.catch(() => undefined);
  failures.set(child, failure);
  return child;
}

/** Resolves like `wait`, unless the program cannot start. @throws Error with the name of the missing program */
export const fromProgram = <Result>(child: ChildProcess, wait: Promise<Result>): Promise<Result> =>
  Promise.race([wait, failures.get(child) ?? Promise.reject(new Error('wrap the program in spawned()'))]);

function explained(cause: Error, program: string, debianPackage: string): Error {
  const isMissing = 'code' in cause && cause.code === 'ENOENT';
  const fix = isMissing ? `install the Debian package ${debianPackage}` : cause.message;
  return new Error(`cannot start "${program}": ${fix}`, { cause });
}
