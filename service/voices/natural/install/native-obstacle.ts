/** Why the native runtime cannot run on a computer. A page describes the reason in its own language. */
export type Obstacle = 'musl' | 'old-glibc' | 'platform';

/** Oldest version of glibc with which the library runs. */
const MIN_GLIBC = [2, 28] as const;

/** The facts about this computer. */
export interface Machine {
  platform: string;
  machine: string;
  /** Version of glibc; undefined on Alpine Linux and on other systems than Linux. */
  glibc?: string | undefined;
}

/** Reads the facts about this computer. */
export function thisMachine(): Machine {
  const { platform, arch: machine } = process;
  return platform === 'linux' ? { platform, machine, glibc: glibcVersion() } : { platform, machine };
}

/** The report would look up the names of network connections. The types lack the switch. */
function glibcVersion(): string | undefined {
  const { report } = process;
  const before: unknown = Reflect.get(report, 'excludeNetwork');
  Reflect.set(report, 'excludeNetwork', true);
  try {
    const { header }: { header?: { glibcVersionRuntime?: string } } = report.getReport();
    return header?.glibcVersionRuntime;
  } finally {
    Reflect.set(report, 'excludeNetwork', before);
  }
}

/**
 * Returns the reason why the runtime cannot run; undefined if it can.
 * @param platforms the platforms with libraries, such as `linux-x64`
 */
export function obstacleOf(
  { platform, machine, glibc }: Machine,
  platforms: readonly string[],
): Obstacle | undefined {
  if (!platforms.includes(`${platform}-${machine}`)) return 'platform';
  if (platform !== 'linux') return undefined;
  if (glibc === undefined) return 'musl';
  const [major = 0, minor = 0] = glibc.split('.').map(Number);
  const isOld = major < MIN_GLIBC[0] || (major === MIN_GLIBC[0] && minor < MIN_GLIBC[1]);
  return isOld ? 'old-glibc' : undefined;
}

/** The reasons in words, for the command line and for error messages. */
export const obstacleTexts: Readonly<Record<Obstacle, string>> = {
  musl: 'the native runtime needs glibc, which Alpine Linux does not have. Voices go on with WebAssembly',
  'old-glibc': 'the native runtime needs glibc 2.28 or later. Voices go on with WebAssembly',
  platform:
    'the native runtime has no library for this computer: it runs on Linux and Windows (x64, ARM64) and on Macs with an M processor. Voices go on with WebAssembly',
};
