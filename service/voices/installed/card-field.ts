/** Returns the value of the first line `NAME: VALUE` that is not empty, also in lists and with emphasis, such as `* **License:** CC0`. */
export function fieldIn(text: string, name: RegExp): string | undefined {
  const line = new RegExp(
    `^[\\s>*_#-]*(?:dataset\\s+|data\\s+|voice\\s+)?(?:${name.source})[*_]*[^\\S\\n]*:[*_]*[^\\S\\n]*(\\S.*)$`,
    'imu',
  );
  return line.exec(text)?.[1]?.trim();
}
