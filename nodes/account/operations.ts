import type { Features, Operation } from '@herald-speech/client';

/** Returns whether a service has an operation. */
export const hasOperation = ({ operations }: Pick<Features, 'operations'>, { name }: Operation): boolean =>
  operations === 'all' || operations.some((one) => one === name);
