import { SpeechError } from '@herald-speech/client';

/** Milliseconds of failures until the support of the service can help (section 6 of the interface: errors with status 500). */
export const OUTAGE_MS = 5 * 60_000;

interface Outage {
  /** Time of the first failure, in milliseconds of a monotonic clock. */
  since: number;
  isReported: boolean;
}

/** The outage of the service of each account. */
const outages = new WeakMap<object, Outage>();

/**
 * Runs `work`, which uses an account. Calls `report` once per outage, if the service has answered with its own
 * errors for more than OUTAGE_MS and with nothing else.
 * @throws the error of `work`
 */
export async function watchOutage<Result>(
  account: object,
  report: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    outages.delete(account);
    return result;
  } catch (error) {
    if (error instanceof SpeechError) note(account, error, report);
    throw error;
  }
}

/** An error without a status says nothing about the service: it is local, or no reply arrived. */
function note(account: object, { code, status }: SpeechError, report: () => void): void {
  if (status === undefined) return;
  if (code !== 'service-failed') {
    outages.delete(account);
    return;
  }
  const now = performance.now();
  const { since, isReported } = outages.get(account) ?? { since: now, isReported: false };
  const isLong = now - since > OUTAGE_MS;
  if (isLong && !isReported) report();
  outages.set(account, { since, isReported: isLong });
}
