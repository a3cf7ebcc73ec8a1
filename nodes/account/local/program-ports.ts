import type { Text } from '@herald-speech/client';
import { portError } from '../../output/urls/try-port.js';
import { say } from '../../runtime/messages.js';

/** The address and the ports at which other programs reach the local service, and its default voices. */
export interface ProgramPlace {
  host: string;
  /** The port of HTTP; undefined if it cannot open, so that the service uses any free port of the loopback address. */
  port: number | undefined;
  /** The port of Wyoming, if it is on. */
  wyoming: number | undefined;
  /** The default voices for other programs, the account's own first (docs/service.md#default-voices). */
  voices: readonly string[];
}

/** The problems of the ports, by the saved property. */
export interface PlaceProblems {
  programsPort?: Text | undefined;
  wyomingPort?: Text | undefined;
}

/** The access of other programs with one account. */
export interface ProgramAccess {
  /** The id of the account. The account with the first id decides. */
  readonly account: string;
  readonly place: ProgramPlace;
  /** Called with the problems at each start of the service; without problems too. */
  report(problems: PlaceProblems): void;
}

/** Milliseconds until a change restarts the service: a deploy closes an account and opens it again. */
const SETTLE_MS = 500;
/** Milliseconds between two attempts to get a port that another program uses. */
const RETRY_MS = 10_000;

/**
 * The ports of one service process. All accounts of a data folder share the process, so the account with the first id decides, and the
 * others get a warning. The order of the ids stays the same when a deploy restarts accounts.
 */
export class ProgramPorts {
  private readonly accesses = new Set<ProgramAccess>();
  private used: ProgramPlace | undefined;
  private timer: NodeJS.Timeout | undefined;
  private state: 'active' | 'stopped' = 'active';

  /** @param restart called if the running service has other ports than the accounts want */
  constructor(private readonly restart: () => void) {}

  add(access: ProgramAccess): void {
    this.accesses.add(access);
    this.checkIn(SETTLE_MS);
  }

  remove(access: ProgramAccess): void {
    this.accesses.delete(access);
    this.checkIn(SETTLE_MS);
  }

  /** Returns the flags for a start of the service, and its port: a fixed one, or undefined for any. */
  async forStart(): Promise<{ port: string | undefined; flags: string[] }> {
    const place = await this.open([]);
    this.used = place;
    if (place === undefined) return { port: undefined, flags: [] };
    const { host, port, wyoming, voices } = place;
    const flags = [
      ...(voices.length === 0 ? [] : [`--voice=${voices.join(',')}`]),
      ...(port === undefined ? [] : ['--host', host]),
      ...(wyoming === undefined ? [] : ['--wyoming', `${host}:${wyoming}`]),
      ...(wyoming === undefined || host === '127.0.0.1' ? [] : ['--wyoming-announce', 'on']),
    ];
    return { port: port?.toString(), flags };
  }

  /** The ports that the service uses now. */
  get own(): number[] {
    return [this.used?.port, this.used?.wyoming].filter((port) => port !== undefined);
  }

  /** Ends all work. Work that waits for a port reports nothing afterwards, and restarts nothing. */
  stop(): void {
    this.state = 'stopped';
    clearTimeout(this.timer);
    this.accesses.clear();
  }

  private checkIn(ms: number): void {
    clearTimeout(this.timer);
    if (this.state === 'stopped') return;
    this.timer = setTimeout(() => void this.check(), ms).unref();
  }

  private async check(): Promise<void> {
    const place = await this.open(this.own);
    if (this.state === 'active' && JSON.stringify(place) !== JSON.stringify(this.used)) this.restart();
  }

  /** Returns the place of the first account without the ports that cannot open, and reports their problems. */
  private async open(own: readonly number[]): Promise<ProgramPlace | undefined> {
    const [first, ...others] = [...this.accesses].sort(byAccount);
    for (const { place, report } of others) report(otherProblems(place, first?.place));
    if (first === undefined) return undefined;
    const problems = await problemsOf(first.place, own);
    // The account has closed during the wait.
    if (!this.accesses.has(first)) return undefined;
    first.report(problems);
    const { host, port, wyoming, voices } = first.place;
    if (Object.values(problems).some((problem) => problem !== undefined)) this.checkIn(RETRY_MS);
    const isOpen = { port: problems.programsPort === undefined, wyoming: problems.wyomingPort === undefined };
    return {
      host,
      port: isOpen.port ? port : undefined,
      wyoming: isOpen.wyoming ? wyoming : undefined,
      voices,
    };
  }
}

const byAccount = (one: ProgramAccess, other: ProgramAccess): number =>
  one.account < other.account ? -1 : 1;

const otherProblems = (place: ProgramPlace, first: ProgramPlace | undefined): PlaceProblems =>
  JSON.stringify(place) === JSON.stringify(first) ? {} : { programsPort: say('program-ports-other') };

/** Returns the problems of ports. The ports of the running service itself have none. */
export async function problemsOf(
  { host, port, wyoming }: ProgramPlace,
  own: readonly number[],
): Promise<PlaceProblems> {
  const problemOf = async (field: keyof PlaceProblems, wanted: number | undefined) =>
    wanted === undefined || own.includes(wanted) ? undefined : portProblem(field, wanted, host);
  const [programsPort, wyomingPort] = await Promise.all([
    problemOf('programsPort', port),
    problemOf('wyomingPort', wyoming),
  ]);
  return { ...(programsPort && { programsPort }), ...(wyomingPort && { wyomingPort }) };
}

/** Returns the reason for which a port cannot open. */
async function portProblem(
  field: keyof PlaceProblems,
  port: number,
  host: string,
): Promise<Text | undefined> {
  const error = await portError({ host, port });
  if (error === undefined) return undefined;
  const isInUse = 'code' in error && error.code === 'EADDRINUSE';
  if (isInUse) return say('program-port-in-use', { field, port });
  return say('program-port-denied', { field, port, problem: error.message });
}
