import { type AuditFinding, auditRun } from '@cuebook/engine';
import type { RunId, Store, VerifyProblem } from '@cuebook/journal';

/**
 * Whether what is kept as the state of a run is what its log gives when it is replayed. Runs of a kind that this
 * command does not know have nothing to compare with.
 */
export async function stateProblems(store: Store, run: RunId): Promise<readonly VerifyProblem[]> {
  const [first] = await store.read(run, { limit: 1 });
  const audit = AUDITS[first?.type ?? ''];
  const findings = audit === undefined ? [] : await audit(store, run);
  return findings.map(({ model }) => ({
    code: 'E_VERIFY_STATE',
    message: `The ${model} on record is not what the log gives when it is replayed`,
  }));
}

/** By the first event of a run: each kind of run begins with one of its own. */
const AUDITS: Readonly<Record<string, (store: Store, run: RunId) => Promise<readonly AuditFinding[]>>> = {
  'turn.started': async (store, run) => {
    const { replayTalkMachine } = await import('@cuebook/host');
    return auditRun(store, replayTalkMachine('turn', run), run);
  },
  'resident.opened': async (store, run) => {
    const [first] = await store.read(run, { limit: 1 });
    const { residentMachine } = await import('@cuebook/resident');
    const { agent = '' } = (first?.data ?? {}) as { readonly agent?: string };
    return auditRun(store, residentMachine(agent), run);
  },
  'run.started': async (store, run) => {
    const { createTeamMachine } = await import('@cuebook/team');
    // What providers can do decides, and the log has decided.
    return auditRun(store, createTeamMachine({ resumes: () => true, nativeTools: () => true }), run);
  },
  'thread.started': async (store, run) => {
    const { createThreadMachine, NO_CATALOG, threadKind } = await import('@cuebook/thread');
    return auditRun(store, createThreadMachine(NO_CATALOG, threadKind(run)), run);
  },
  'workflow.started': async (store, run) => {
    const { replayMachine, workflowKind } = await import('@cuebook/workflow');
    return auditRun(store, replayMachine(workflowKind(run)), run);
  },
};
