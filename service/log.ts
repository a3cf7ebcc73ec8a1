export interface LogEntry extends Readonly<Record<string, unknown>> {
  level: 'info' | 'error';
}

/** Takes note of what happened. No entry holds a text, a key or a query. */
export type Log = (entry: LogEntry) => void;

export const logLevels = ['info', 'error', 'none'] as const;

/** How much is told: everything, what failed, nothing. */
export type LogLevel = (typeof logLevels)[number];

export const noLog: Log = () => undefined;

/** One line of JSON per entry on standard error; standard output is for what the program is asked. */
function jsonLog(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
}

/** The log of the program at a level. */
export function logAt(level: LogLevel): Log {
  if (level === 'none') return noLog;
  return level === 'info' ? jsonLog : (entry) => entry.level === 'error' && jsonLog(entry);
}
