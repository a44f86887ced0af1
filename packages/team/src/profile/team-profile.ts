import type { TextSource } from '@cuebook/files';
import type { Composed, Loaded, Profile } from '@cuebook/profile';
import { nearest, type Piece } from '@cuebook/prompt';
import type { ServersOffer } from '@cuebook/provider/servers';
import { z } from 'zod';
import { providerSchema } from '../call/tools.js';
import { recordedTool, type ServedTool } from '../capability/served.js';
import { checkTeam } from '../file/check.js';
import { findTeams, loadTeam, type TeamSource } from '../file/load.js';
import { readProjectLimits } from '../file/project-limits.js';
import { missingTools, serversOf } from '../file/servers.js';
import { startOf } from '../file/start.js';
import { findNode } from '../graph/reference.js';
import { globalModeInput, goalInput, providerInput } from './inputs.js';
import { type PromptEnvironment, readFirstPrompt, shownAs, type WithFirstPrompt } from './project-voices.js';
import { ownFile, rolesOf, textsOfTeam } from './texts.js';

const input = z.object({
  node: z.string().min(1).optional().describe('The node of the team whose prompt is shown, by alias'),
  nodeProvider: providerInput(providerSchema),
  globalMode: globalModeInput,
  goal: goalInput,
});
type Input = z.infer<typeof input>;

/** A team with all that its prompts depend on. */
export type ShownTeam = WithFirstPrompt<TeamSource> & {
  readonly projectLimits: NonNullable<Parameters<typeof startOf>[1]['projectLimits']>;
  /** The tools of MCP servers, where they were asked. */
  readonly served: readonly ServedTool[];
};

/** Team files: a graph of nodes with roles, providers and rights. */
export const createTeamProfile = (environment: PromptEnvironment): Profile<ShownTeam, typeof input> => ({
  prefix: 'team',
  summary: 'a team of agents (team.yaml, NAME.team.yaml, or a file in teams/)',
  examples: [],
  input,
  find: findTeams,
  async load(project, name): Promise<Loaded<ShownTeam>> {
    const loaded = await loadTeam(project, name);
    const limits = await readProjectLimits(project);
    const firstPrompt = await readFirstPrompt(project, environment);
    if (!limits.ok || !firstPrompt.ok) {
      const others = [limits, firstPrompt].flatMap((read) => (read.ok ? [] : read.diagnostics));
      const partial = loaded.ok ? loaded.value : loaded.partial;
      return {
        ok: false,
        diagnostics: [...loaded.diagnostics, ...others],
        ...(partial && { partial: { ...partial, ...UNSHOWN, isPartial: true } }),
      };
    }
    const asked = loaded.ok ? await askOf(project, loaded.value, environment) : NOBODY;
    const shown = shownAs(loaded, (source) => ({
      ...source,
      firstPrompt: firstPrompt.value,
      projectLimits: limits.value,
      served: asked.tools.map(recordedTool),
    }));
    return { ...shown, diagnostics: [...shown.diagnostics, ...asked.diagnostics] };
  },
  check: checkTeam,
  files: ({ file, roles, team }) => [file, ...rolesOf(team, roles).flatMap(ownFile)],
  texts: textsOfTeam,
  sample: () => ({}),
  compose: composeTeam,
});

/** What the servers offer whose tools nodes of the team may call. */
async function askOf(
  project: TextSource,
  source: TeamSource,
  { servers }: PromptEnvironment,
): Promise<Pick<ServersOffer, 'tools' | 'diagnostics'>> {
  const wanted = Object.keys(serversOf(source));
  if (servers === undefined || wanted.length === 0) return NOBODY;
  const offer = await servers(project, wanted);
  return { ...offer, diagnostics: [...offer.diagnostics, ...missingTools(source, offer)] };
}

const NOBODY = { tools: [], diagnostics: [] } as const;

/** Of a team whose project does not say how it runs, the file itself can still be looked at. */
const UNSHOWN = { firstPrompt: () => undefined, projectLimits: {}, served: [] } as const;

/** The profile where nothing is known of the environment: for help, flags and completion. */
export const teamProfile = createTeamProfile({ env: {} });

/** The first prompt of one node: the one that is asked for, else the one that begins the run. */
function composeTeam(source: ShownTeam, { node: wanted, nodeProvider, globalMode, goal }: Input): Composed {
  if (source.isPartial === true) return { ok: false, diagnostics: [] };
  const { projectLimits } = source;
  const options = { run: '', by: '', providers: [], priced: false, projectLimits };
  const start = startOf(source, { ...options, ...(goal === undefined ? {} : { goal }) });
  const named = start.nodes.map((node) => ({ ...node, id: node.alias ?? '' }));
  const found = wanted === undefined ? undefined : findNode(named, wanted);
  if (wanted !== undefined && found === undefined) return unknownNode(wanted, named);
  const chosen = found ?? named.find(({ orchestrator }) => orchestrator) ?? named[0];
  const nodes = start.nodes.map((node) =>
    nodeProvider !== undefined && node.alias === chosen?.alias ? { ...node, provider: nodeProvider } : node,
  );
  const given = { ...start, nodes, globalMode: globalMode ?? start.globalMode };
  const value = source.firstPrompt(given, found?.alias, source.served);
  // What keeps a run from beginning `check` has told.
  if (value === undefined) return CANNOT_BEGIN;
  const blocks = value.blocks.map((block) => ({
    ...block,
    pieces: block.pieces.map((piece) => numbered(piece, source)),
  }));
  return { ok: true, value: { ...value, blocks } };
}

/** Ids are numbers here, so they come from the list that is counted. */
function numbered(piece: Piece, { yaml }: Pick<ShownTeam, 'yaml'>): Piece {
  const { kind, ref } = piece.origin;
  const list = kind === 'variable' && Object.hasOwn(COUNTED, ref) ? COUNTED[ref] : undefined;
  return list === undefined ? piece : { ...piece, origin: { ...piece.origin, via: [yaml.place([list])] } };
}

const COUNTED: Readonly<Record<string, 'nodes' | 'edges'>> = {
  'run node': 'nodes',
  'known nodes': 'nodes',
  'known edges': 'edges',
};

const CANNOT_BEGIN: Composed = {
  ok: false,
  diagnostics: [{ code: 'E_TEAM', severity: 'error', message: 'A run of this team cannot begin' }],
};

function unknownNode(wanted: string, nodes: readonly { readonly alias?: string }[]): Composed {
  const aliases = nodes.flatMap(({ alias }) => alias ?? []);
  const meant = nearest(wanted, aliases);
  const hint = meant === undefined ? `There are: ${aliases.join(', ')}` : `Did you mean "${meant}"?`;
  const message = `The team has no node "${wanted}". ${hint}`;
  return { ok: false, diagnostics: [{ code: 'E_TEAM_NODE', severity: 'error', message }] };
}
