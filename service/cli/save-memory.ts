import { setFlagsFromString } from 'node:v8';

// The only WebAssembly of this process is SQLite. V8's optimising compiler needs 30 to 50 MB for it, which the process
// keeps, and saves microseconds per statement. The flag applies to modules that are compiled later, so this file is the
// first import of the program.
setFlagsFromString('--liftoff-only');
