import { guard } from '@cuebook/guard';

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
  /** The commit that was checked out when a run took it in after its beginning, in a repository. */
  readonly commit?: string;
};

/** How far a role may change the graph, whatever the settings of its node allow. */
export type EdgeScope = 'none' | 'self' | 'all';

/** The scope that the preamble declares. */
export function edgeScopeOf({ capabilities }: Pick<RoleTemplate, 'capabilities'>): EdgeScope {
  if (capabilities.includes('edge_management_all')) return 'all';
  return capabilities.includes('edge_management_self') ? 'self' : 'none';
}

/** What a role may do by its template: nothing that the preamble does not declare, and nothing that it forbids. */
export type DeclaredRights = {
  readonly writeCode: boolean;
  readonly writeDocs: boolean;
  readonly runCommands: boolean;
};

/**
 * The rights that the preamble declares. A constraint wins over a capability: `read_only` takes all of them away,
 * `no_edits` every write, `docs_only` the code, `no_commands` the commands.
 */
export function declaredRights({
  capabilities,
  constraints,
}: Pick<RoleTemplate, 'capabilities' | 'constraints'>): DeclaredRights {
  const forbidden = new Set(constraints.map(foldWord));
  const has = (word: RightWord, ...against: readonly LimitWord[]): boolean =>
    capabilities.includes(word) &&
    !guard(
      'role.constraint',
      against.some((each) => forbidden.has(each)),
    );
  return {
    writeCode: has('write_code', 'read_only', 'no_edits', 'docs_only'),
    writeDocs: has('write_docs', 'read_only', 'no_edits'),
    runCommands: has('run_commands', 'read_only', 'no_commands'),
  };
}

/** Whether a role hands on rights that it does not use itself. */
export const delegates = ({ capabilities }: Pick<RoleTemplate, 'capabilities'>): boolean =>
  capabilities.includes('delegate');

/** Whether a role reads what others have made: their diffs, and their folders. */
export const reviews = ({ capabilities }: Pick<RoleTemplate, 'capabilities'>): boolean =>
  capabilities.includes('review_diffs');

/** A constraint counts however it is spelled: `Read-only` takes as much away as `read_only`. */
export const foldWord = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

type RightWord = 'write_code' | 'write_docs' | 'run_commands';
type LimitWord = (typeof MEANT_CONSTRAINTS)[number];

/** The capabilities that Cuebook acts on. All others are words for people. */
export const MEANT_CAPABILITIES = [
  'edge_management_all',
  'edge_management_self',
  'delegate',
  'review_diffs',
  'write_code',
  'write_docs',
  'run_commands',
] as const;

/** The constraints that Cuebook acts on. */
export const MEANT_CONSTRAINTS = ['read_only', 'no_edits', 'docs_only', 'no_commands'] as const;
