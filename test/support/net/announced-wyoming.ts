import { Bonjour } from 'bonjour-service';

/** Announces Wyoming servers on this computer only, while `work` runs: `NAME PORT` for each port. */
export async function announcing<Result>(
  ports: readonly number[],
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const options: object = { interface: '127.0.0.1' };
  const bonjour = new Bonjour(options);
  try {
    for (const port of ports) bonjour.publish({ name: `${name} ${port}`, type: 'wyoming', port });
    return await work();
  } finally {
    await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
  }
}
