import { guard } from '../guard.js';
import type { EdgeScope } from '../role/template.js';

/** What a node may do. */
export type Capabilities = {
  readonly edgeManagement: EdgeScope;
  readonly writeCode: boolean;
  readonly writeDocs: boolean;
  readonly runCommands: boolean;
  /** Works through others alone: no files, no commands. */
  readonly delegateOnly: boolean;
};

/** Who is asked before a node does what it may do. */
export type Permissions = {
  /** `skip`: what it may do it does. `gated`: a person is asked for each act. */
  readonly cliPermissionsMode: 'skip' | 'gated';
  readonly agentManagementRequiresApproval: boolean;
};

/** Settings as people and agents write them: what is left out has its default. */
export type CapabilitiesInput = { readonly [Key in keyof Capabilities]?: Capabilities[Key] | undefined };
/** The same, for permissions. */
export type PermissionsInput = { readonly [Key in keyof Permissions]?: Permissions[Key] | undefined };

/** The rights of a node, as far as a child's follow from them. */
export interface Rights {
  readonly orchestrator: boolean;
  readonly capabilities: Capabilities;
  readonly permissions: Permissions;
}

/** What is asked for a node. */
export interface RightsInput {
  readonly role: string;
  readonly capabilities?: CapabilitiesInput | undefined;
  readonly permissions?: PermissionsInput | undefined;
}

/** The rights of a node that a person adds. */
export function resolveRights({ role, capabilities = {}, permissions = {} }: RightsInput): Rights {
  const orchestrator = isOrchestratorRole(role);
  return {
    orchestrator,
    capabilities: {
      edgeManagement: capabilities.edgeManagement ?? (orchestrator ? 'all' : 'none'),
      writeCode: capabilities.writeCode ?? true,
      writeDocs: capabilities.writeDocs ?? true,
      runCommands: capabilities.runCommands ?? true,
      delegateOnly: capabilities.delegateOnly ?? false,
    },
    permissions: {
      cliPermissionsMode: permissions.cliPermissionsMode ?? 'skip',
      // Whoever does not lead always asks, whatever the setting says.
      agentManagementRequiresApproval:
        !orchestrator || (permissions.agentManagementRequiresApproval ?? false),
    },
  };
}

/** The rights of a node that another node spawns: never more than its parent has. */
export function childRights(input: RightsInput, parent: Rights): Rights {
  const wanted = resolveRights(input);
  if (!guard('child.clamp', true)) return wanted;
  const orchestrator = wanted.orchestrator && parent.orchestrator;
  const [mine, theirs] = [wanted.capabilities, parent.capabilities];
  return {
    orchestrator,
    capabilities: {
      edgeManagement: lesserScope(mine.edgeManagement, theirs.edgeManagement),
      writeCode: mine.writeCode && theirs.writeCode,
      writeDocs: mine.writeDocs && theirs.writeDocs,
      runCommands: mine.runCommands && theirs.runCommands,
      delegateOnly: mine.delegateOnly || theirs.delegateOnly,
    },
    permissions: {
      cliPermissionsMode: isGated(wanted.permissions) || isGated(parent.permissions) ? 'gated' : 'skip',
      agentManagementRequiresApproval:
        !orchestrator ||
        wanted.permissions.agentManagementRequiresApproval ||
        parent.permissions.agentManagementRequiresApproval,
    },
  };
}

/** Whether a role is the one that leads. */
export const isOrchestratorRole = (role: string): boolean => role.trim().toLowerCase() === 'orchestrator';

/** Whether a person is asked for each act. */
export const isGated = ({ cliPermissionsMode }: Permissions): boolean => cliPermissionsMode === 'gated';

/** Whether the first scope reaches no further than the second. */
export const isWithinScope = (scope: EdgeScope, limit: EdgeScope): boolean =>
  SCOPES.indexOf(scope) <= SCOPES.indexOf(limit);

const SCOPES: readonly EdgeScope[] = ['none', 'self', 'all'];

const lesserScope = (a: EdgeScope, b: EdgeScope): EdgeScope => (isWithinScope(a, b) ? a : b);
