/** The part of the account's "Test" about Redis. */
import { type Fields, textOf } from '@herald-speech/browser';
import { callRuntime, errorText, sentence, type Target } from '../lib/runtime.js';

/** A line of the result. */
export interface TestLine {
  text: string;
  /** Whether the line reports a fault. */
  isWrong: boolean;
}

export const well = (text: string): TestLine => ({ text, isWrong: false });
export const wrong = (text: string): TestLine => ({ text, isWrong: true });

/** Tests Redis if the account of a hosted service shares its limits. Without it, returns no lines. */
export async function testFleet(target: Target, node: EditorNode): Promise<TestLine[]> {
  const { service, fleetUrl } = target.typed;
  if (service !== 'hosted' || !fleetUrl) return [];
  try {
    return resultOf(await callRuntime('fleet', target), node);
  } catch (error) {
    return [wrong(errorText(error, node))];
  }
}

/** Returns the line with the figures, and a line for each fault. */
function resultOf(reply: Fields, node: EditorNode): TestLine[] {
  const read = (name: string) => textOf(reply[name]);
  const faults: unknown = reply['problems'];
  const problems = (Array.isArray(faults) ? faults : []).map((fault) => wrong(sentence(textOf(fault))));
  const product = read('product') === 'valkey' ? 'Valkey' : 'Redis';
  const latency = Number(read('latencyMs')).toLocaleString(RED.i18n.lang(), { maximumFractionDigits: 1 });
  const figures = { product, version: read('version'), latency, members: read('members') };
  return [well(node._('test.redis', figures)), ...problems];
}
