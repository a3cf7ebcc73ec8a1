/** The sidebar tab "Speech" with sample replies of the runtime. */

const NOW = Date.UTC(2026, 10, 22, 8, 0);
const MINUTE = 60_000;
/** Pixels. */
const WIDTH = 340;

const KITCHEN = 'herald-kitchen';
const node = {
  node: KITCHEN,
  queue: KITCHEN,
  name: 'kitchen',
  voice: 'Selma',
  language: 'en',
  hasAudio: false,
};

/** The node of the announcements, which have the label that it has in the workspace. */
const FLOW = [
  {
    id: KITCHEN,
    type: 'herald-text-to-speech',
    name: 'kitchen',
    z: 'herald-first-words',
    x: 0,
    y: 0,
    wires: [],
  },
];

const ANNOUNCEMENTS = [
  { ...node, id: 5, state: 'speaking', text: 'Dinner is ready. Please come to the kitchen.', startedAt: NOW },
  { ...node, id: 6, state: 'queued', text: 'The washing machine has finished.', queuedAt: NOW },
  {
    ...node,
    id: 4,
    state: 'done',
    text: 'It is 21.5 degrees outside.',
    endedAt: NOW - MINUTE,
    seconds: 2.4,
    charged: 2.4,
    hasAudio: true,
  },
  {
    ...node,
    id: 3,
    state: 'failed',
    text: 'Someone is at the door.',
    endedAt: NOW - 4 * MINUTE,
    error: { code: 'out-of-credits', message: 'the account has no credits left' },
  },
  {
    ...node,
    id: 2,
    state: 'done',
    text: 'Good morning.',
    endedAt: NOW - 40 * MINUTE,
    seconds: 1.1,
    cached: true,
    hasAudio: true,
  },
];

/** The replies by the end of the path. */
const REPLIES = {
  activity: {
    run: 'sample',
    revision: 1,
    ids: ANNOUNCEMENTS.map(({ id }) => id),
    announcements: ANNOUNCEMENTS,
    waiting: [{ node: KITCHEN, count: 1 }],
  },
  'activity/accounts': {
    accounts: [
      {
        id: 'a',
        name: 'Our service',
        service: 'hosted',
        state: 'reachable',
        balance: 1240,
        budget: { used: 312, unit: 'seconds', limits: [{ per: 'day', used: 312, limit: 1800 }] },
      },
      { id: 'local', name: 'local', service: 'local', state: 'running' },
    ],
  },
  'natural-voices': { voices: [] },
  'reach/addresses': {
    url: 'http://192.168.1.7:1880',
    problems: [],
    root: '',
    addresses: [
      { address: '192.168.1.7', network: '192.168.1.0/24', interface: 'eth0', kind: 'lan', isUsed: true },
    ],
  },
  'speakers/search': {
    version: 1,
    isSearching: false,
    speakers: [{ kind: 'mpd', name: 'Living room', address: '192.168.1.41' }],
  },
  cache: { folder: '/cache', bytes: 12_400_000, entries: 184, savedSeconds: 920 },
};

/**
 * Shows the tab with the samples, at a fixed width and its full height.
 * @param {import('playwright-core').Page} page
 */
export async function showSidebar(page) {
  for (const [name, reply] of Object.entries(REPLIES)) {
    await page.route(
      ({ pathname }) => pathname.endsWith(`/herald/${name}`),
      (route) => route.fulfill({ json: reply }),
    );
  }
  await page.evaluate(`RED.nodes.import(${JSON.stringify(FLOW)})`);
  // Hidden and shown again, the tab asks for the record.
  await page.evaluate(`RED.sidebar.show('info')`);
  await page.locator('.herald-activity').waitFor({ state: 'hidden' });
  await page.evaluate(`RED.actions.invoke('herald-speech:show-speech-tab')`);
  await page.locator('.herald-activity-row').first().waitFor();
  await page.addStyleTag({
    content: `.herald-activity { position: fixed; z-index: 99; top: 20px; left: 20px; width: ${WIDTH}px; height: auto; outline: none !important;
      background: var(--red-ui-primary-background); box-shadow: 0 0 0 20px var(--red-ui-primary-background); }`,
  });
}
