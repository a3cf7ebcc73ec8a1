import type { Budget } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { refuseForeign } from '../endpoint/endpoint.js';

/** An account that counts its use. */
interface Counting {
  /** Returns undefined if the account has no budget. */
  budgetUse(): ReturnType<Budget['used']> | Promise<undefined>;
}

/** Serves `GET /herald/budget?account=ID`. The reply is `{}` if the account is not deployed or has no budget. */
export function serveBudget(RED: NodeAPI): void {
  RED.httpAdmin.get(
    '/herald/budget',
    refuseForeign,
    RED.auth.needsPermission('herald.read'),
    async (request, response) => {
      const { account } = request.query;
      const node: unknown = typeof account === 'string' ? RED.nodes.getNode(account) : undefined;
      response.set('Cache-Control', 'no-store');
      // An unreadable count only leaves a note of the dialog blank.
      const use = isCounting(node) ? await node.budgetUse().catch(() => undefined) : undefined;
      response.json(use ?? {});
    },
  );
}

const isCounting = (node: unknown): node is Counting =>
  typeof node === 'object' && node !== null && 'budgetUse' in node && typeof node.budgetUse === 'function';
