import { fail, ok, type Result } from '@cuebook/prompt';
import type { TurnPlace, VerifyOutcome, WorkspaceError } from '../contract.js';
import type { WorkspaceGround } from '../place/place.js';
import { runCommand } from './run-command.js';

/** Runs check commands one after another in a node's folder; the first that fails is the answer. */
export async function verify(
  ground: WorkspaceGround,
  { run, node }: TurnPlace,
  commands: readonly string[],
  signal?: AbortSignal,
): Promise<Result<VerifyOutcome, WorkspaceError>> {
  const folder = ground.folderOf(run, node);
  for (const command of commands) {
    const end = await runCommand(ground, { folder, command, timeoutMs: ground.limits.verifyMs, signal });
    if (end.aborted) return fail({ code: 'E_WORKSPACE_ABORTED', message: 'The checks were ended.' });
    if (!end.ok) return ok({ failure: `$ ${ground.redact(command)}\n${end.text}` });
  }
  return ok({ failure: null });
}
