import { execFileSync } from 'node:child_process';
import path from 'node:path';

interface Listed {
  pid: number;
  parent: number;
  command: string;
}

/** Returns the ids of the neural processes that descend from this process. */
export const neuralProcesses = (): number[] =>
  descendants((command) => command.includes(path.join('neural', 'dist', 'program.js')));

/** Returns the ids of the speech processes that descend from this process. */
export const speechProcesses = (): number[] => descendants((command) => command.includes('speech-program'));

function descendants(isWanted: (command: string) => boolean): number[] {
  const all = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line): Listed => {
      const [pid, parent, ...command] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), command: command.join(' ') };
    });
  const family = new Set([process.pid]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid, command }) => family.has(pid) && isWanted(command)).map(({ pid }) => pid);
}
