import type { NeedView, ReportView, RunView } from '@cuebook/api';
import type { RunReport } from '@cuebook/host';
import { hint } from '@cuebook/prompt/hint';
import type { Io } from '../../io.js';
import { count, type Style } from '../../output/style.js';
import { runDocument } from '../../run/document.js';
import { nameOf } from '../require.js';
import { isOver } from '../watch.js';

/** What `--json` answers about a run. `status` is `waiting` when it goes on only with a person. */
export const documentOf = (view: RunView, report: ReportView, io: Pick<Io, 'typing'>): object => ({
  ...runDocument(report as RunReport, io),
  result: view.result,
  needs: view.needs.map((need) => needDocument(need)),
});

const needDocument = (need: NeedView) => {
  if (need.kind !== 'approval') return need;
  const { id, run, node, alias, tool, input, reason } = need.approval;
  return { kind: need.kind, approval: { id, run, node, alias, tool, input, reason } };
};

/** 0 when the run is completed, 1 otherwise. */
export const exitOf = ({ status }: Pick<RunView, 'status'>): number => (status === 'completed' ? 0 : 1);

/** How a run stands, and the command that goes on with it. */
export function endText(view: RunView, style: Style): string {
  const { run, status, result, turns } = view;
  const facts = style.dim(
    `  ${count(turns, 'turn')}${view.rehearsal ? ' · rehearsal, no model was asked' : ''}\n`,
  );
  if (isOver(view)) {
    const mark = status === 'completed' ? style.green('✓') : style.red('✗');
    const summary = result === null || result.summary === '' ? '' : `: ${result.summary}`;
    const failing = result?.failing.length
      ? style.red(`  checks fail: ${result.failing.map((id) => nameOf(view, id)).join(', ')}\n`)
      : '';
    const next = style.dim(`  ${hint`runs apply ${run} --dry-run`}   what it would bring into your folder\n`);
    return `${mark} ${run} ${status}${summary}\n${failing}${facts}${next}`;
  }
  const waiting = view.needs.map((need) => `  ${needText(view, need)}\n`).join('');
  return `${style.yellow('…')} ${run} waits for you\n${waiting}${facts}${style.dim(`  ${hint`attach ${run}`}\n`)}`;
}

/** What is needed, with the command that gives it. */
export function needText(view: RunView, need: NeedView): string {
  switch (need.kind) {
    case 'approval': {
      const { id, node, tool } = need.approval;
      return `${nameOf(view, node)} asks for ${tool}: ${hint`approvals allow ${id}`}`;
    }
    case 'hold': {
      const name = nameOf(view, need.node);
      return `${name} holds: ${need.hold.message} ${hint`approvals answer ${view.run}/${name} ${wordOn(need.hold)}`}`;
    }
    case 'pause':
      return `The run is paused: ${need.pause.message} ${hint`approvals answer ${view.run} ${wordOn(need.pause)}`}`;
    case 'outcome': {
      const who = need.node === null ? 'the run' : nameOf(view, need.node);
      return `Nobody knows whether ${who} had done ${need.effect} before a crash: ${hint`approvals answer ${need.effect} not-done`}, or unknown`;
    }
  }
}

const wordOn = ({ kind }: { readonly kind: string }): string => (kind === 'budget' ? 'TURNS' : 'resume');
