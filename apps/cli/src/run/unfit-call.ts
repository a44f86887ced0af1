import type { ScheduledCall } from '@cuebook/host';
import { composeTarget } from '@cuebook/profile';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import { problemLine } from '../output/diagnostics.js';
import { kindOf } from '../project/profiles.js';
import { openCalled } from '../project/target.js';

/**
 * Says what would keep the runs of a schedule or a webhook from starting with the project as it is here: nobody is there
 * when they start. Another machine may have other sources, so it is added all the same. Targets that only a server can
 * read are not looked at.
 */
export async function warnOfUnfit(
  { flags, io }: Pick<Call, 'flags' | 'io'>,
  { target, input, options }: Pick<ScheduledCall, 'target' | 'input' | 'options'>,
  how: { readonly isStranger?: boolean } = {},
): Promise<void> {
  if (kindOf(target) === undefined) return;
  const lines = await problemsOf().catch((thrown: unknown) => {
    if (!(thrown instanceof Failure)) throw thrown;
    return [`error ${thrown.code} ${thrown.message}\n`];
  });
  if (lines.length > 0)
    io.err(`${lines.join('')}With the project as it is here, these runs do not start. Added all the same.\n`);

  async function problemsOf(): Promise<readonly string[]> {
    const { bench } = await openCalled({ args: [target], flags, io });
    const given = { ...options, ...(input === undefined ? {} : { input }) };
    const composed = await composeTarget(bench, target, given, how);
    if (composed.ok) return [];
    return composed.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map((diagnostic) => problemLine(io, 'err', diagnostic));
  }
}
