export interface LogEntry extends Readonly<Record<string, unknown>> {
  level: 'info' | 'error';
}

/** Takes note of what happened. No entry holds a text, a key or a query. */
export type Log = (entry: LogEntry) => void;

/** One line of JSON per entry on standard error; standard output is for what the program is asked. */
export const jsonLog: Log = (entry) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
};

export const noLog: Log = () => undefined;
