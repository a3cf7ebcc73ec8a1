import os from 'node:os';

/** Milliseconds for a job including its wait, and additional milliseconds for it to end on request. */
export interface TaskLimits {
  timeLimit: number;
  grace: number;
}

/** Limits of a worker pool; `timeLimit` includes the wait for a worker. */
export interface WorkerPoolLimits extends TaskLimits {
  /** Maximum number of workers. A worker starts when a job finds all others busy. */
  size: number;
  /** Maximum number of jobs that wait for a worker. */
  maxQueued: number;
}

export const workerPoolDefaults: WorkerPoolLimits = {
  size: os.availableParallelism(),
  maxQueued: 64,
  timeLimit: 30_000,
  grace: 2000,
};
