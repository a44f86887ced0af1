import type { RunView } from '@cuebook/api';
import type { Style } from '../../output/style.js';
import { needText } from './report.js';

/** How a run stands, in a few lines. */
export function statusText(view: RunView, style: Style): string {
  const { budget, nodes, needs } = view;
  const width = Math.max(4, ...nodes.map(({ alias, label }) => (alias ?? label).length));
  const spent = budget === null ? '' : `, ${budget.turns.spent} of ${budget.turns.limit} turns`;
  const lines = [
    `${style.bold(view.run)} ${view.status}, ${view.globalMode}${spent}${view.rehearsal ? ', rehearsal' : ''}`,
    ...(view.goal === null ? [] : [style.dim(`goal: ${view.goal.split('\n')[0] ?? ''}`)]),
    ...nodes.map((node) => {
      const work = node.work === null ? '' : ` turn ${node.work.number}, ${node.work.phase}`;
      const hold = node.hold === null ? '' : ` ${node.hold.kind}: ${node.hold.message}`;
      const inbox = node.inbox.length === 0 ? '' : ` ${node.inbox.length} in the inbox`;
      return `  ${(node.alias ?? node.label).padEnd(width)} ${node.status}${work}${hold}${inbox}`;
    }),
    ...needs.map((need) => `  ${style.yellow('?')} ${needText(view, need)}`),
  ];
  return `${lines.join('\n')}\n`;
}
