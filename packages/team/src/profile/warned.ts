import { openFolder } from '@cuebook/files';
import type { Loaded } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import { createAgentTexts } from '../role/agent-text.js';
import type { RoleTemplate } from '../role/template.js';
import { agentWarnings } from '../role/vet.js';
import type { PromptEnvironment } from './project-voices.js';
import { createRoleProfile } from './role-profile.js';
import { createTeamProfile } from './team-profile.js';

/** Where it is known which words an agent wrote. */
export interface WarnedOptions {
  /** CUEBOOK_HOME; where there is none yet no agent has written anything. */
  readonly home: string;
  /** `sha256:` and the hex digest of a text. */
  readonly hash: (text: string) => string;
  /** The environment: it says which agents use tools of their own. */
  readonly env?: PromptEnvironment['env'] | undefined;
  /** Asks MCP servers what they offer; left out: nobody asks. */
  readonly servers?: PromptEnvironment['servers'];
}

/** The profiles of a project: templates are shown as they stand, with a warning where an agent left them so. */
export function warnedProfiles({ home, hash, env = {}, servers }: WarnedOptions) {
  const environment = { env, ...(servers && { servers }) };
  const [roleProfile, teamProfile] = [createRoleProfile(environment), createTeamProfile(environment)];
  const warnings = async (roles: Iterable<RoleTemplate>): Promise<readonly Diagnostic[]> => {
    const opened = await openFolder(home, { access: 'ro' });
    return opened.ok ? agentWarnings(roles, createAgentTexts(opened.value, hash)) : [];
  };
  const role: typeof roleProfile = {
    ...roleProfile,
    load: async (project, name) =>
      withWarnings(await roleProfile.load(project, name), (found) => warnings([found])),
  };
  const team: typeof teamProfile = {
    ...teamProfile,
    load: async (project, name) =>
      withWarnings(await teamProfile.load(project, name), ({ team: file, roles }) =>
        warnings(new Set(file.nodes.flatMap((node) => roles.get(node.role) ?? []))),
      ),
  };
  return { role, team } as const;
}

async function withWarnings<Source>(
  loaded: Loaded<Source>,
  warn: (source: Source) => Promise<readonly Diagnostic[]>,
): Promise<Loaded<Source>> {
  if (!loaded.ok) return loaded;
  return { ...loaded, diagnostics: [...loaded.diagnostics, ...(await warn(loaded.value))] };
}
