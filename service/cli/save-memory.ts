import { setFlagsFromString } from 'node:v8';

/*
 * The only WebAssembly of this process is SQLite. V8's optimising compiler needs 20 to 50 MB for it, which the process
 * keeps, and saves microseconds per statement. These flags apply to modules that are compiled later, so this file is the
 * first import of the program. Flags that are set at run time do not imply others.
 */
for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'])
  setFlagsFromString(flag);
