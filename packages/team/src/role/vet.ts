import { guard } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { diagnosticAt } from '@cuebook/yaml';
import type { TeamSource } from '../file/load.js';
import type { AgentText, AgentTexts } from './agent-text.js';
import { roleFile } from './name.js';
import type { RoleTemplate } from './template.js';

/** A team with role templates of people alone. */
export interface VettedTeam {
  readonly source: TeamSource;
  /** A warning for each template that is not taken as it stands; an error for one that a node cannot do without. */
  readonly diagnostics: readonly Diagnostic[];
  /** What a person is to be asked about. */
  readonly withheld: readonly WithheldWords[];
}

/** Words of an agent that no person has allowed. */
export interface WithheldWords {
  readonly role: RoleTemplate;
  readonly text: AgentText;
}

export interface VetOptions {
  readonly texts: Pick<AgentTexts, 'find'>;
  /**
   * What the runs use whose agents are at work in the project's folder right now: what differs from it may be an
   * agent's. To be looked at after the templates were read.
   */
  readonly atWork: () => Promise<readonly Readonly<Record<string, RoleTemplate>>[]>;
}

/**
 * Puts the last words of a person in the place of those that an agent wrote and nobody has allowed. Where there are
 * none the template is left out, and a node that needs it keeps the team from starting.
 */
export async function vetTeam(source: TeamSource, { texts, atWork }: VetOptions): Promise<VettedTeam> {
  const roles = new Map(source.roles);
  const diagnostics: Diagnostic[] = [];
  const withheld: WithheldWords[] = [];
  const busy = await atWork();
  for (const role of source.roles.values()) {
    const text = await texts.find(role);
    const doubted = busy.find((used) => guard('role.doubted', roleOf(used, role.name)?.text !== role.text));
    const before = text ? text.before : doubted && (roleOf(doubted, role.name) ?? null);
    if (before === undefined) continue;
    if (before === null) roles.delete(role.name);
    else roles.set(role.name, before);
    if (text?.state === 'proposed') withheld.push({ role, text });
    const index = source.team.nodes.findIndex((node) => node.role === role.name);
    const why = text ? whoWrote(role, text) : `An agent is at work where ${roleFile(role.name)} stands`;
    if (before === null && index !== -1) {
      const message = `${why}, so there is no template for this node. ${text ? READ_IT : WAIT}`;
      const problem = { code: 'E_ROLE_UNALLOWED', severity: 'error', message } as const;
      diagnostics.push(diagnosticAt(source.yaml, ['nodes', index, 'role'], problem));
    } else diagnostics.push(unallowed(role.name, `${why}, ${before === null ? LEFT_OUT : INSTEAD}`));
  }
  return { source: { ...source, roles }, diagnostics, withheld };
}

/** The warnings of templates that are shown as they stand. */
export async function agentWarnings(
  roles: Iterable<RoleTemplate>,
  texts: Pick<AgentTexts, 'find'>,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const role of roles) {
    const text = await texts.find(role);
    if (text) found.push(unallowed(role.name, `${whoWrote(role, text)}; a run does not use it`));
  }
  return found;
}

const roleOf = (roles: Readonly<Record<string, RoleTemplate>>, name: string): RoleTemplate | undefined =>
  Object.hasOwn(roles, name) ? roles[name] : undefined;

const unallowed = (name: string, message: string): Diagnostic => ({
  code: 'W_ROLE_UNALLOWED',
  severity: 'warning',
  message,
  file: roleFile(name),
  line: 1,
  column: 1,
});

function whoWrote({ name }: RoleTemplate, { run, node, state }: AgentText): string {
  const said = state === 'denied' ? 'a person has denied it' : 'no person has allowed it';
  return `${roleFile(name)} is as the agent ${node} left it in ${run}, and ${said}`;
}

const READ_IT = `Read the file: ${hint`approvals`} asks about it while that run goes on, and a change of yours makes it your own`;
const WAIT = 'Start the run when the turn is over';
const LEFT_OUT = 'so the run does without that role until a person allows it';
const INSTEAD = 'so the run begins with the last words of a person';
