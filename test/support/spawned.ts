import type { ChildProcess } from 'node:child_process';

/** The errors of the programs that could not start. */
const failures = new WeakMap<ChildProcess, Promise<never>>();

/** The errors of the programs that could not start during the present test. */
const ofTest: Error[] = [];

/**
 * Keeps the error of a program in its own test: without a listener, it would end the test that runs at that moment. Wrap each
 * `spawn` and `fork`. `fromProgram` ends a wait for output at once; any other failure of the test gets the error too.
 * @param debianPackage the package with the program. Default: the name of the program
 */
export function spawned<Child extends ChildProcess>(child: Child, debianPackage = child.spawnfile): Child {
  const failure = new Promise<never>((_resolve, reject) => {
    child.on('error', (error) => {
      const explanation = explained(error, child.spawnfile, debianPackage);
      ofTest.push(explanation);
      reject(explanation);
    });
  });
  failure.catch(() => undefined);
  failures.set(child, failure);
  return child;
}

/** Resolves like `wait`, unless the program cannot start. @throws Error with the name of the missing program */
export const fromProgram = <Result>(child: ChildProcess, wait: Promise<Result>): Promise<Result> =>
  Promise.race([wait, failures.get(child) ?? Promise.reject(new Error('wrap the program in spawned()'))]);

/** Adds the programs that could not start to the failure of a test, such as its timeout. Forgets them for the next test. */
export function explainFailure(failure: Error | undefined): void {
  for (const { message } of ofTest.splice(0)) {
    if (failure === undefined || failure.message.includes(message)) continue;
    const whole = `${failure.message}\n${message}`;
    // Mocha prints the message from the stack.
    failure.stack = failure.stack?.replace(failure.message, () => whole) ?? whole;
    failure.message = whole;
  }
}

function explained(cause: Error, program: string, debianPackage: string): Error {
  const isMissing = 'code' in cause && cause.code === 'ENOENT';
  const fix = isMissing ? `install the Debian package ${debianPackage}` : cause.message;
  return new Error(`cannot start "${program}": ${fix}`, { cause });
}
