/** Takes the time of one core until the parent process ends. `npm run test:soak` starts it beside a run. */
const parent = process.ppid;
while (process.ppid === parent) {
  const end = performance.now() + 100;
  while (performance.now() < end);
}
