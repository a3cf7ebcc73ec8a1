import { operations, rounded, z } from '@herald-speech/client';
import { defineNode } from './lib/define-node.js';
import { numberProperty } from './lib/property.js';

/** Reads the credit balance and compares it with a threshold. A service without credits has no balance and never counts as low. */
export = defineNode({
  type: 'herald-credits',
  needs: 'getCredits',
  request: () => operations.getCredits.request.extend({ threshold: z.number().nonnegative() }),
  properties: { threshold: { ...numberProperty('bell-o'), value: '60' } },
  async run({ client, request: { threshold }, message, ...options }) {
    const { balance } = await client.call(operations.getCredits, {}, options);
    const payload = balance === null ? null : rounded(balance);
    return { ...message, payload, speech: { low: balance !== null && balance < threshold } };
  },
});
