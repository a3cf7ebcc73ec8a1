/** Returns the numbers of a script's reply. Any other value is a defect of the script, and counts as 0. */
export function numbersOf(reply: unknown): number[] {
  if (!Array.isArray(reply)) return [];
  return reply.map((value: unknown) => (typeof value === 'number' ? value : 0));
}
