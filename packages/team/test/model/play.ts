import { pendingApprovals } from '@cuebook/engine';
import type { GlobalMode } from '../../src/capability/global-mode.js';
import type { TeamCommand } from '../../src/run/command.js';
import { LEFT_CODE } from '../../src/run/outcome.js';
import { loadedRoles } from '../roles.js';
import { spec, teamRun } from '../team-run.js';
import { type Act, BUDGET, LIMITS } from './acts.js';

export type Run = ReturnType<typeof teamRun>;

/** A run with nodes of every kind: one that leads, writers of one folder, a gated one, one in the folder of another. */
export function begin(globalMode: GlobalMode): Run {
  const run = teamRun({ approvalMs: 1_000, expect: () => ({ tokens: 10, usd: 0 }) });
  run.start({
    globalMode,
    nodes: [
      spec('lead', 'orchestrator'),
      spec('dev', 'implementer', { provider: 'claude', workspace: 'shared' }),
      spec('doc', 'planner', {
        workspace: 'shared',
        permissions: { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true },
      }),
      spec('test', 'reviewer', { workspace: { with: 'lead' } }),
      spec('dep', 'deputy', { capabilities: { ...spec('x', 'x').capabilities, edgeManagement: 'all' } }),
    ],
    edges: [
      { from: 'lead', to: 'dev' },
      { from: 'doc', to: 'lead', bidirectional: false },
      { from: 'lead', to: 'test' },
    ],
    roles: [
      ...loadedRoles(),
      ...loadedRoles().flatMap((role) => (role.name === 'orchestrator' ? [{ ...role, name: 'deputy' }] : [])),
    ],
    verify: ['npm test'],
    limits: LIMITS,
    budget: BUDGET,
  });
  return run;
}

/** Does one act. */
export function play(run: Run, act: Act): void {
  switch (act.act) {
    case 'answer': {
      const turns = run.effects('node.turn');
      const effect = turns[act.pick % Math.max(1, turns.length)];
      if (!effect) return;
      const output = {
        text: act.text,
        calls: act.calls.map(({ name, input }, index) => ({ id: `c${index}`, name, input })),
        notes: [],
        end: { reason: act.reason },
        usage: { inputTokens: act.tokens, outputTokens: 0, costUsd: 0 },
        ...(act.tokens % 3 === 0 ? {} : { sessionId: 's' }),
      };
      run.settle(effect.id, { ok: true, output: output as never }, act.by as 'driver');
      return;
    }
    case 'settle': {
      const others = run.open().filter(({ kind }) => kind !== 'node.turn');
      const effect = others[act.pick % Math.max(1, others.length)];
      if (!effect) return;
      const output =
        effect.kind === 'diff.take'
          ? { hash: act.files.length > 0 ? `h${act.files.join()}` : null, files: act.files }
          : { failure: act.ok ? null : 'FAIL', text: 'x' };
      run.settle(
        effect.id,
        act.ok || effect.kind === 'verify.run'
          ? { ok: true, output }
          : { ok: false, error: { code: 'E_DISK', message: 'full' } },
      );
      return;
    }
    case 'resolve': {
      const pending = pendingApprovals(run.state().approvals);
      const approval = pending[act.pick % Math.max(1, pending.length)];
      const decision = act.decision as 'allow';
      const input = approval?.input ?? {};
      run.submit({
        type: 'approval.resolve',
        approval: approval?.id ?? 'apr_0',
        decision,
        input,
        grant: act.grant,
        by: 'ann',
      });
      return;
    }
    case 'person':
      run.submit(personCommand(act.node, act.what));
      return;
    case 'run':
      if (act.what === 'expire') {
        const [approval] = pendingApprovals(run.state().approvals);
        if (approval) run.fire(`expire/${approval.id}`);
      } else run.submit(RUN_COMMANDS[act.what as keyof typeof RUN_COMMANDS]);
      return;
    case 'native': {
      const turns = run.effects('node.turn');
      const effect = turns[act.pick % Math.max(1, turns.length)]?.id ?? 'none';
      const { name, input } = act.call;
      run.submit(
        act.asks
          ? { type: 'native.approve', effect, tool: 'mcp__x', input: input as never }
          : { type: 'native.call', effect, call: { id: 'm', name, input: input as never } },
      );
      return;
    }
    case 'leave': {
      // The host ends: every turn in flight is cut off.
      const end = { reason: 'aborted', code: LEFT_CODE };
      for (const { id } of run.effects('node.turn')) {
        const output = { text: '', calls: [], notes: [], end, ...(act.hasSession ? { sessionId: 's' } : {}) };
        run.settle(id, { ok: true, output: output as never });
      }
      return;
    }
    case 'crash': {
      const open = run.open();
      const effect = open[act.pick % Math.max(1, open.length)];
      if (!effect) return;
      run.write({ type: 'effect.asked', data: { id: effect.id } });
      if (act.again) run.write({ type: 'effect.reopened', data: { id: effect.id } });
    }
  }
}

const by = 'ann';
const RUN_COMMANDS = {
  pause: { type: 'run.pause', by },
  halt: { type: 'run.pause', interrupt: true, by },
  resume: { type: 'run.resume', by },
  plan: { type: 'run.mode', globalMode: 'PLANNING', by },
  build: { type: 'run.mode', globalMode: 'IMPLEMENTATION', mode: 'INTERACTIVE', by },
  auto: { type: 'run.mode', mode: 'AUTO', by },
  raise: { type: 'budget.raise', scope: 'run', to: { tokens: 9_000 }, by },
  finish: { type: 'run.finish', ok: true, summary: 'x', by },
} as const satisfies Record<string, TeamCommand>;

function personCommand(node: string, what: string): TeamCommand {
  switch (what) {
    case 'message':
      return { type: 'node.message', node, text: 'hello', by };
    case 'push':
      return { type: 'node.message', node, text: 'now', interrupt: true, by };
    case 'interrupt':
      return { type: 'node.interrupt', node, by };
    case 'reset':
      return { type: 'node.reset', node, by };
    case 'resume':
      return { type: 'node.resume', node, by };
    default:
      return { type: 'node.configure', node, to: { provider: 'raw', override: 'Be brief.' }, by };
  }
}

/** Lets everything come to its end: turns say nothing more, people deny. */
export function drain(run: Run): void {
  for (
    let step = 0;
    step < 500 && run.open().length + pendingApprovals(run.state().approvals).length > 0;
    step += 1
  ) {
    for (const { id } of pendingApprovals(run.state().approvals))
      run.submit({ type: 'approval.resolve', approval: id, decision: 'deny', by });
    const [effect] = run.open();
    if (!effect) continue;
    const output =
      effect.kind === 'node.turn'
        ? {
            text: 'end',
            calls: [],
            notes: [],
            end: { reason: 'done' },
            sessionId: 's',
            usage: { inputTokens: 1, outputTokens: 0, costUsd: 0 },
          }
        : { hash: null, files: [], failure: null, text: '' };
    run.settle(effect.id, { ok: true, output });
  }
}
