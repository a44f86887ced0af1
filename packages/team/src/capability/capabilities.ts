import { guard, guarded } from '@cuebook/guard';
import { declaredRights, delegates, type EdgeScope, type RoleTemplate } from '../role/template.js';

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

/** The names of all capabilities, in the order in which they are told. */
export const CAPABILITIES = [
  'edgeManagement',
  'runCommands',
  'writeCode',
  'writeDocs',
  'delegateOnly',
] as const satisfies readonly (keyof Capabilities)[];
/** The same, for permissions. */
export const PERMISSIONS = [
  'cliPermissionsMode',
  'agentManagementRequiresApproval',
] as const satisfies readonly (keyof Permissions)[];

/** Settings as people and agents write them: what is left out has its default. */
export type CapabilitiesInput = { readonly [Key in keyof Capabilities]?: Capabilities[Key] | undefined };
/** The same, for permissions. */
export type PermissionsInput = { readonly [Key in keyof Permissions]?: Permissions[Key] | undefined };

/** The rights of a node, as far as a child's follow from them. */
export interface NodeRights {
  readonly orchestrator: boolean;
  /** What it may do: no more than its settings allow and its template declares. */
  readonly capabilities: Capabilities;
  /** What its settings allow, whatever its template declares. One whose role delegates may hand this on. */
  readonly limit?: Capabilities;
  readonly permissions: Permissions;
}

/** What is asked for a node. */
export interface RightsInput {
  readonly role: string;
  readonly capabilities?: CapabilitiesInput | undefined;
  readonly permissions?: PermissionsInput | undefined;
}

/** What of a template rights follow from. */
export type RightsTemplate = Pick<RoleTemplate, 'capabilities' | 'constraints'>;

/**
 * The rights of a node that a person adds. Without a template these are its settings alone: `withRights` takes away
 * what the template does not declare, at the latest when the node comes into a graph.
 */
export function resolveRights(
  { role, capabilities = {}, permissions = {} }: RightsInput,
  template?: RightsTemplate,
): NodeRights {
  const orchestrator = isOrchestratorRole(role);
  const limit: Capabilities = {
    edgeManagement: capabilities.edgeManagement ?? (orchestrator ? 'all' : 'none'),
    writeCode: capabilities.writeCode ?? true,
    writeDocs: capabilities.writeDocs ?? true,
    runCommands: capabilities.runCommands ?? true,
    delegateOnly: capabilities.delegateOnly ?? false,
  };
  return {
    orchestrator,
    ...boundBy(limit, template),
    permissions: {
      cliPermissionsMode: permissions.cliPermissionsMode ?? 'skip',
      // Whoever does not lead always asks, whatever the setting says.
      agentManagementRequiresApproval:
        !orchestrator || (permissions.agentManagementRequiresApproval ?? false),
    },
  };
}

/** What is left of a limit under a template: what the template does not declare, no setting gives. */
export function withinTemplate(limit: Capabilities, template: RightsTemplate | undefined): Capabilities {
  const declared = declaredRights(template ?? NOTHING_DECLARED);
  const may = (key: keyof typeof declared): boolean => limit[key] && !guard('role.declared', !declared[key]);
  return {
    ...limit,
    writeCode: may('writeCode'),
    writeDocs: may('writeDocs'),
    runCommands: may('runCommands'),
  };
}

const boundBy = (
  limit: Capabilities,
  template: RightsTemplate | undefined,
): Pick<NodeRights, 'capabilities' | 'limit'> =>
  template === undefined ? { capabilities: limit } : { limit, capabilities: withinTemplate(limit, template) };

/** A node with what its template leaves of its settings. One without a template may do nothing. */
export function withRights<Node extends Pick<NodeRights, 'capabilities' | 'limit'>>(
  node: Node,
  template: RightsTemplate | undefined,
): Node & { readonly limit: Capabilities } {
  const limit = node.limit ?? node.capabilities;
  return { ...node, limit, capabilities: withinTemplate(limit, template) };
}

const NOTHING_DECLARED = { capabilities: [], constraints: [] } as const;

/**
 * The rights of a node that another node spawns: never more than its parent may hand on. That is what the parent has
 * itself, or for a role that delegates what its settings allow.
 */
export function childRights(
  input: RightsInput,
  parent: NodeRights,
  {
    template,
    parentTemplate,
  }: {
    readonly template?: RightsTemplate | undefined;
    readonly parentTemplate?: RightsTemplate | undefined;
  } = {},
): NodeRights {
  const wanted = resolveRights(input, template);
  const theirs = handedOn(parent, parentTemplate);
  return guarded('child.clamp', (rights) => clamp(rights, { parent, theirs, template }), wanted);
}

/** Rights that are none above those of a parent, who hands on `theirs`. */
function clamp(
  wanted: NodeRights,
  {
    parent,
    theirs,
    template,
  }: {
    readonly parent: NodeRights;
    readonly theirs: Capabilities;
    readonly template: RightsTemplate | undefined;
  },
): NodeRights {
  const orchestrator = wanted.orchestrator && parent.orchestrator;
  const mine = wanted.limit ?? wanted.capabilities;
  const limit: Capabilities = {
    edgeManagement: lesserScope(mine.edgeManagement, theirs.edgeManagement),
    writeCode: mine.writeCode && theirs.writeCode,
    writeDocs: mine.writeDocs && theirs.writeDocs,
    runCommands: mine.runCommands && theirs.runCommands,
    delegateOnly: mine.delegateOnly || theirs.delegateOnly,
  };
  return {
    orchestrator,
    ...boundBy(limit, template),
    permissions: {
      cliPermissionsMode: isGated(wanted.permissions) || isGated(parent.permissions) ? 'gated' : 'skip',
      agentManagementRequiresApproval:
        !orchestrator ||
        wanted.permissions.agentManagementRequiresApproval ||
        parent.permissions.agentManagementRequiresApproval,
    },
  };
}

/** What a node may give to those that it spawns. */
const handedOn = (
  { capabilities, limit = capabilities }: Pick<NodeRights, 'capabilities' | 'limit'>,
  template: RightsTemplate | undefined,
): Capabilities => (template !== undefined && delegates(template) ? limit : capabilities);

/** Whether a role is the one that leads. */
export const isOrchestratorRole = (role: string): boolean => role.trim().toLowerCase() === 'orchestrator';

/** Whether a person is asked for each act. */
export const isGated = ({ cliPermissionsMode }: Permissions): boolean => cliPermissionsMode === 'gated';

/** Whether the first scope reaches no further than the second. */
export const isWithinScope = (scope: EdgeScope, limit: EdgeScope): boolean =>
  SCOPES.indexOf(scope) <= SCOPES.indexOf(limit);

const SCOPES: readonly EdgeScope[] = ['none', 'self', 'all'];

const lesserScope = (a: EdgeScope, b: EdgeScope): EdgeScope => (isWithinScope(a, b) ? a : b);
