import { readdir, readFile } from 'node:fs/promises';

/** Maximum number of processes whose memory is added. Each worker has one eSpeak process at most. */
const MAX_PROCESSES = 200;
const KILOBYTE = 1024;

/**
 * Returns the resident memory of a process and its descendants in bytes. Returns undefined if the process has ended, and on
 * systems without `/proc`.
 */
export async function memoryOfTree(root: number): Promise<number | undefined> {
  const processes = [root];
  let bytes: number | undefined;
  for (let place = 0; place < Math.min(processes.length, MAX_PROCESSES); place++) {
    const id = processes[place];
    const size = id === undefined ? undefined : await memoryOf(id);
    if (id === undefined || size === undefined) continue;
    bytes = (bytes ?? 0) + size;
    processes.push(...(await childrenOf(id)));
  }
  return bytes;
}

async function memoryOf(id: number): Promise<number | undefined> {
  const status = await read(`/proc/${id}/status`);
  const kilobytes = /^VmRSS:\s+(?<size>\d+) kB$/m.exec(status)?.groups?.['size'];
  return kilobytes === undefined ? undefined : Number(kilobytes) * KILOBYTE;
}

/** Worker threads start processes too, and the file of a thread lists only the children of that thread. */
async function childrenOf(id: number): Promise<number[]> {
  const threads = await readdir(`/proc/${id}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => read(`/proc/${id}/task/${thread}/children`)));
  return lists.flatMap((list) => list.split(' ').filter((word) => word !== '')).map(Number);
}

/** A process can end at any time. */
const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
