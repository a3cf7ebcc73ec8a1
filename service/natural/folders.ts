import path from 'node:path';

/** Returns the default folder of the natural voices. */
export function voicesIn(data: string): string {
  return path.join(data, 'voices');
}

/** Returns the folder of the measurements of the natural voices. They count for this computer only. */
export function measurementsIn(data: string): string {
  return path.join(data, 'measurements');
}
