import { auditRun, createAgentMachine } from '@cuebook/engine';
import type { RunId, Store, VerifyProblem } from '@cuebook/journal';

/**
 * Whether what is kept as the state of a run is what its log gives when it is replayed. Runs of a kind that this
 * command does not know have nothing to compare with.
 */
export async function stateProblems(store: Store, run: RunId): Promise<readonly VerifyProblem[]> {
  const [first] = await store.read(run, { limit: 1 });
  if (first?.type !== 'agent.started') return [];
  const findings = await auditRun(store, targetMachine(run), run);
  return findings.map(({ model }) => ({
    code: 'E_VERIFY_STATE',
    message: `The ${model} on record is not what the log gives when it is replayed`,
  }));
}

/** The machine of `cuebook run`, as far as replaying needs it: the configuration decides, and the log has decided. */
export const targetMachine = (run: RunId, config: Parameters<typeof createAgentMachine>[0] = UNUSED) => ({
  ...createAgentMachine(config),
  kind: `target/${run}`,
});

const UNUSED = { rules: { tools: [] }, priced: false, onTurnCrash: 'ask-person' } as const;
