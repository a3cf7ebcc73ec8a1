/** Messages about the reach of players in English (nodes/locales/LANG/runtime.json has the translations). */
export const reachMessages = {
  'reach-sentence': 'This is the test sound. Your speaker reaches Node-RED.',
  'reach-expired': 'this test sound has expired: start a new test',
  'reach-not-deployed': 'this node is not deployed: press Done, then Deploy, and open this dialog again',
  'reach-no-wire': 'output 1 of the deployed node has no wire: connect the node of your speaker, then deploy',
  'reach-device-gone': 'this speaker is not in the last search: search again',
  'reach-device-silent': '{device}: no answer: check that the speaker is on, then search again',
  'reach-device-refused': '{device}: the speaker refused the sound: {problem}',
} as const;
