/**
 * A plugin of oxlint. Its rule `growth/regexp-time` reports each regular expression that can take more than linear time.
 * A comment that disables the rule must give the bound of the text, or the reason why the time is linear.
 */
import { analyse } from 'scslre';

/** A report for each kind is enough: the first one leads to the part that backtracks. */
const MAX_REPORTS = 1;

/** @param {{source: string, flags: string}} expression */
function problemOf(expression) {
  const [report] = analyse(expression, { maxReports: MAX_REPORTS }).reports;
  if (report === undefined) return undefined;
  const { source, flags } = report.character.literal;
  const growth = report.exponential ? 'exponential' : 'polynomial';
  return `the expression takes ${growth} time for a row of /${source}/${flags}: let no two parts match the same text`;
}

/** @typedef {{regex?: {pattern: string, flags: string}}} LiteralNode */

const regexpTime = {
  /** @param {{report(problem: {node: LiteralNode, message: string}): void}} context */
  create: (context) => ({
    /** @param {LiteralNode} node */
    Literal(node) {
      if (!node.regex) return;
      const message = problemOf({ source: node.regex.pattern, flags: node.regex.flags });
      if (message !== undefined) context.report({ node, message });
    },
  }),
};

export default { meta: { name: 'growth' }, rules: { 'regexp-time': regexpTime } };
