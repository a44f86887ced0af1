/**
 * A role template as it is used: its whole text, the preamble included, and what the preamble says. Plain JSON:
 * it is in the log of a run.
 */
export type RoleTemplate = {
  readonly name: string;
  readonly version: string;
  readonly capabilities: readonly string[];
  readonly constraints: readonly string[];
  readonly source: 'repository' | 'shipped';
  /** The file, as messages and origins name it. */
  readonly file: string;
  readonly text: string;
};

/** How far a role may change the graph, whatever the settings of its node allow. */
export type EdgeScope = 'none' | 'self' | 'all';

/** The scope that the preamble declares. */
export function edgeScopeOf({ capabilities }: Pick<RoleTemplate, 'capabilities'>): EdgeScope {
  if (capabilities.includes('edge_management_all')) return 'all';
  return capabilities.includes('edge_management_self') ? 'self' : 'none';
}

/** The capabilities that Cuebook acts on. All others are words for people. */
export const MEANT_CAPABILITIES = ['edge_management_all', 'edge_management_self'] as const;
