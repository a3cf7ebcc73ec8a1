import { setFlagsFromString } from 'node:v8';
import { RIGHTS_OF_OTHERS } from '@herald-speech/client/files';

/*
 * Settings of the whole process. The processes that the service starts inherit the umask. This file is the first import of the
 * program, because the flags of V8 apply to modules that are compiled later.
 */

/*
 * The only WebAssembly of this process is SQLite. V8's optimising compiler needs 20 to 50 MB for it, which the process
 * keeps, and saves microseconds per statement. Flags that are set at run time do not imply others.
 */
for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'])
  setFlagsFromString(flag);

/*
 * All files of this program belong to its user alone: the database with its lock, the key, voices and measurements. SQLite has no
 * other way to set the rights of its files.
 */
process.umask(RIGHTS_OF_OTHERS);
