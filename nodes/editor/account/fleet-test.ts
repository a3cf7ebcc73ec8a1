/** The part of the account's "Test" about Redis. */
import { callRuntime, errorText, type Reply, type Target } from '../runtime.js';
import { textOf } from '../text.js';

/** The lines of a test. */
export interface TestResult {
  isValid: boolean;
  lines: string[];
}

/** Tests Redis if the account of a hosted service shares its limits. Without it, returns no lines. */
export async function testFleet(target: Target, node: EditorNode): Promise<TestResult> {
  const { service, fleetUrl } = target.typed;
  if (service !== 'hosted' || !fleetUrl) return { isValid: true, lines: [] };
  try {
    return resultOf(await callRuntime('fleet', target), node);
  } catch (error) {
    return { isValid: false, lines: [faultText(errorText(error, node), node)] };
  }
}

const faultText = (wrong: string, node: EditorNode): string => node._('test.redis-wrong', { wrong });

/** Returns the line with the figures, and a line for each fault. */
function resultOf(reply: Reply, node: EditorNode): TestResult {
  const read = (name: string) => textOf(reply.get(name));
  const faults: unknown = reply.get('problems');
  const problems = (Array.isArray(faults) ? faults : []).map((fault) => faultText(textOf(fault), node));
  const product = read('product') === 'valkey' ? 'Valkey' : 'Redis';
  const latency = Number(read('latencyMs')).toLocaleString(RED.i18n.lang(), { maximumFractionDigits: 1 });
  const figures = { product, version: read('version'), latency, members: read('members') };
  return { isValid: problems.length === 0, lines: [node._('test.redis', figures), ...problems] };
}
