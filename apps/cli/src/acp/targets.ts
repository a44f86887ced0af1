import type { SessionConfigOption } from '@agentclientprotocol/sdk';
import { openFolder } from '@cuebook/files';
import { findTargets } from '@cuebook/profile';
import { nearest } from '@cuebook/prompt';
import { Failure, usage } from '../failure.js';
import { requireFile } from '../project/named-file.js';
import { profilesFor } from '../project/profiles.js';

/** The kinds of targets that a session can be of, those that people talk to most first. */
const KINDS = ['agent', 'team', 'workflow', 'prompt'];

/** The targets of a project that a session can be of. */
export async function sessionTargets(folder: string): Promise<readonly string[]> {
  const project = requireFile(await openFolder(folder, { access: 'ro' }), 'the project');
  const found = await findTargets({ profiles: await profilesFor({}, KINDS), project });
  const rank = (target: string): number => KINDS.indexOf(target.split(':')[0] ?? '');
  return [...found].sort((a, b) => rank(a) - rank(b));
}

/** Refuses what no session can be of, before a client is waited for. */
export function requireKind(target: string): void {
  if (KINDS.some((kind) => target.startsWith(`${kind}:`) && target.length > kind.length + 1)) return;
  throw usage(`${target} is not a target: write agent:NAME, team:FILE, workflow:DIR or prompt:NAME`);
}

/** The target of a new session: the one that is named, or the first of the project. */
export function firstTarget(named: string | undefined, targets: readonly string[]): string {
  const [first] = targets;
  if (named === undefined) {
    if (first !== undefined) return first;
    throw new Failure('E_NO_TARGET', 'The project has no agent, team, workflow or prompt to talk to.');
  }
  // Teams and workflows are named by files and folders, which need not be found by looking around.
  if (!/^(?:agent|prompt):/.test(named) || targets.includes(named)) return named;
  const near = nearest(named, targets);
  throw new Failure(
    'E_TARGET',
    `The project has no ${named}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}

/** The choice of a target, for sessions whose target the command does not name. */
export const targetOption = (current: string, targets: readonly string[]): SessionConfigOption => ({
  type: 'select',
  id: TARGET_OPTION,
  name: 'Target',
  description: 'Who answers. It is chosen before the first message of a session.',
  currentValue: current,
  options: [...new Set([current, ...targets])].map((value) => ({ value, name: value })),
});

export const TARGET_OPTION = 'target';
