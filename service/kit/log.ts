export interface LogEntry extends Readonly<Record<string, unknown>> {
  level: 'info' | 'error';
}

/** A function that receives log entries. An entry never contains a spoken text, a key or a query string. */
export type Log = (entry: LogEntry) => void;

export const logLevels = ['info', 'error', 'none'] as const;

/** The entries that the log keeps: all, errors only, or none. */
export type LogLevel = (typeof logLevels)[number];

export const noLog: Log = () => undefined;

/** Returns the text of an error for a log entry: its stack, if it has one. */
export function errorForLog(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Writes an entry as one line of JSON to standard error. Standard output carries the results of commands. */
function jsonLog(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
}

/** Returns the log of the program for a level. */
export function logAt(level: LogLevel): Log {
  if (level === 'none') return noLog;
  return level === 'info' ? jsonLog : (entry) => entry.level === 'error' && jsonLog(entry);
}
