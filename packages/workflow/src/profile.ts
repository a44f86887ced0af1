import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { Loaded, Profile } from '@cuebook/profile';
import { type Diagnostic, nearest, type Redactor } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { NO_SERVERS, type Servers, type ServerTool, serverNote } from '@cuebook/provider/servers';
import { diagnosticAt } from '@cuebook/yaml';
import { z } from 'zod';
import { composeTurn, type TurnMode, type WorkflowTurn } from './compose/compose.js';
import type { DataContext } from './compose/data-context.js';
import { INTENTS } from './compose/directive.js';
import { describePrecondition } from './compose/error.js';
import { spellingKindOf, toldTurn, VOICES, type VoiceKind } from './compose/told.js';
import { loadPackage } from './package/load.js';
import { chooseMenu, readMenuData } from './package/menu.js';
import type { PackageTrust, Workflow, WorkflowPackage } from './package/package.js';
import { mergePolicies, type ToolSettings } from './policy/policy.js';
import { readState } from './state/document.js';
import { describeStateError } from './state/error.js';
import { initialState } from './state/initial.js';
import { filesOfWorkflow, textsOfWorkflow } from './texts.js';

/** A package and the workflow of it that is meant. */
export interface WorkflowSource {
  readonly package: WorkflowPackage;
  readonly workflow: Workflow;
  /** The texts of the files that menus hand in, by alias path. */
  readonly menuData: ReadonlyMap<string, string>;
  /** The tools of MCP servers, where they were asked. */
  readonly serverTools: readonly ServerTool[];
}

const input = z.object({
  mode: z.enum(['run', 'agent', 'chat']).default('run').describe('run, agent or chat'),
  state: z
    .string()
    .optional()
    .meta({ file: true, description: 'The state file of a run; without it the run is at its entry' }),
  input: z.string().optional().describe('What the user says'),
  activeAgent: z
    .string()
    .optional()
    .describe('The agent for steps that name none; by default the one in the state, else the first'),
  intent: z.enum(INTENTS).optional().describe('start, continue or resume'),
  autopilot: z.boolean().default(false).describe('Tell the agent to continue without asking'),
  menu: z.string().optional().describe("An item of the agent's menu, by its trigger or number"),
  voice: z
    .enum(VOICES)
    .optional()
    .describe(
      'The kind of provider: api, cli or rehearsal. Tool names are adapted to it; by default to the provider of the project',
    ),
  data: z
    .object({ label: z.string().optional(), path: z.string(), text: z.string() })
    .optional()
    .meta({ file: 'named', description: 'A file that the conversation is about' }),
});

type Input = z.infer<typeof input>;

/** The profile of step workflows: `workflow:DIR` or `workflow:DIR#ID`. */
export function createWorkflowProfile({
  redactor,
  settings,
  trustOf = isOwnFolder,
  voice = 'rehearsal',
  servers,
}: {
  readonly redactor?: Redactor;
  /** What the operator allows; left out: the defaults. */
  readonly settings?: ToolSettings;
  /** Who is told where the call does not say. */
  readonly voice?: VoiceKind;
  /** How far the package in a folder of the project is trusted, and what to say of it. */
  readonly trustOf?: (folder: string) => PackageStanding | Promise<PackageStanding>;
  /** Asks the MCP servers of the project what they offer; left out: nobody asks, and no tool of theirs is shown. */
  readonly servers?: () => Promise<Pick<Servers, 'tools' | 'problems'>>;
} = {}): Profile<WorkflowSource, typeof input> {
  return {
    prefix: 'workflow',
    summary: 'a step workflow: a package with graph, agents and steps (DIR[#ID], DIR holds bmad.json)',
    examples: [],
    input,
    find: findPackages,
    load: async (project, name) => {
      const [folder = '.', id] = splitName(name);
      const { trust, unaccepted } = await trustOf(folder);
      const loaded = await loadPackage(project, folder, trust);
      if (!loaded.ok) return { ok: false, diagnostics: loaded.diagnostics };
      const noted = unaccepted === undefined ? [] : [unacceptedNote(loaded.value, unaccepted)];
      const chosen = choose(loaded.value, [...loaded.diagnostics, ...noted], id);
      if (!chosen.ok) return { ok: false, diagnostics: chosen.diagnostics };
      const menuData = await readMenuData(loaded.value, project, folder);
      const asked = await askServers(loaded.value, settings, servers);
      return {
        ok: true,
        value: { ...chosen.value, menuData, serverTools: asked.tools },
        diagnostics: [...chosen.diagnostics, ...asked.problems.map(serverNote)],
      };
    },
    check: (source) => missingTools(source, settings),
    files: filesOfWorkflow,
    texts: textsOfWorkflow,
    // Nothing is handed in: the schema's own defaults are a run at its entry.
    sample: () => ({}) as Input,
    compose: (source, given) => {
      const said = readTurn(source, given);
      if (!said.ok) return { ok: false, diagnostics: said.diagnostics };
      const turn = { package: source.package, ...said.value, settings, redactor };
      const composed = composeTurn(turn);
      if (composed.ok) {
        const { blocks, tools, sources } = toldTurn(
          composed.value,
          spellingKindOf(given.voice ?? voice),
          source.serverTools,
        );
        return { ok: true, value: { ...composed.value, blocks, tools, sources } };
      }
      const { code } = composed.error;
      return {
        ok: false,
        diagnostics: [{ code, severity: 'error', message: describePrecondition(composed.error) }],
      };
    },
  };
}

/** Workflows of the project, with no further look at what they print than the gates take. */
export const workflowProfile: Profile<WorkflowSource, typeof input> = createWorkflowProfile();

/** How far a package is trusted. */
export interface PackageStanding {
  readonly trust: PackageTrust;
  /** Why it is not the author's, and what to do about it. */
  readonly unaccepted?: string;
}

/** Folders in which programs put what others wrote. */
const INSTALLED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third_party|site-packages|\.venv|venv)(?:\/|$)/;

/** A folder of the project is its own, except where programs install the work of others. */
export function isOwnFolder(folder: string): PackageStanding {
  if (!INSTALLED.test(folder)) return { trust: 'author' };
  return {
    trust: 'external',
    unaccepted: `it is in a folder for third-party packages. Look at it with: ${hint`package show ${folder}`}`,
  };
}

const unacceptedNote = ({ name, version }: WorkflowPackage, why: string): Diagnostic => ({
  code: 'W_PACKAGE_UNACCEPTED',
  severity: 'warning',
  message: `The words of the package ${name} ${version} are fenced as a stranger's: ${why}`,
});

/**
 * What the servers offer to a package of which an agent may use them. For a package that nobody accepted, which no run
 * follows, no server is started.
 */
async function askServers(
  { agents, trust }: WorkflowPackage,
  settings: ToolSettings | undefined,
  ask: (() => Promise<Pick<Servers, 'tools' | 'problems'>>) | undefined,
): Promise<Pick<Servers, 'tools' | 'problems'>> {
  const isUsed = [...agents.values()].some(({ agent }) => mergePolicies(settings, agent.tools).mcp.enabled);
  if (ask === undefined || !isUsed) return NO_SERVERS;
  if (!guard('package.servers', trust === 'external')) return ask();
  const problem = 'Nobody has accepted the package, so no MCP server was asked: their tools are not shown.';
  return { tools: [], problems: [problem] };
}

/** A package at the top of the project, and those in `workflows/`; any other is named by its folder. */
async function findPackages(project: TextSource): Promise<readonly string[]> {
  const found: string[] = [];
  if (await holdsPackage(project, '.')) found.push('.');
  const listing = await project.list('workflows');
  for (const { name, kind } of listing.ok ? listing.value.entries : []) {
    const folder = `workflows/${name}`;
    if (kind === 'directory' && /^[^@#\s]+$/.test(name) && (await holdsPackage(project, folder)))
      found.push(folder);
  }
  return found;
}

async function holdsPackage(project: TextSource, folder: string): Promise<boolean> {
  const listing = await project.list(folder);
  return (
    listing.ok && listing.value.entries.some(({ name, kind }) => name === 'bmad.json' && kind === 'file')
  );
}

function splitName(name: string): readonly [folder: string, id?: string] {
  const cut = name.indexOf('#');
  const folder = (cut === -1 ? name : name.slice(0, cut)).replace(/\/+$/, '') || '.';
  return cut === -1 ? [folder] : [folder, name.slice(cut + 1)];
}

function choose(
  value: WorkflowPackage,
  diagnostics: readonly Diagnostic[],
  id = value.entry,
): Loaded<Pick<WorkflowSource, 'package' | 'workflow'>> {
  const workflow = value.workflows.get(id);
  if (workflow !== undefined) return { ok: true, value: { package: value, workflow }, diagnostics };
  const near = nearest(id, value.workflows.keys());
  const hint =
    near === undefined ? `There are ${[...value.workflows.keys()].join(', ')}` : `Did you mean "${near}"?`;
  const message = `The package has no workflow "${id}". ${hint}`;
  return { ok: false, diagnostics: [{ code: 'WORKFLOW_NOT_FOUND', severity: 'error', message }] };
}

/** What a call says, as a turn takes it. */
export type GivenTurn = Pick<WorkflowTurn, 'mode' | 'activeAgentId' | 'input' | 'data'>;

/** Reads what was handed in, the choice of a menu included. */
export function readTurn(source: Omit<WorkflowSource, 'serverTools'>, given: Input): Loaded<GivenTurn> {
  const found = modeOf(source, given);
  if (!found.ok) return found;
  const activeAgentId = given.activeAgent ?? found.activeAgentId ?? firstAgent(source.package);
  const usual = given.data === undefined ? {} : { data: named(given.data) };
  if (given.menu === undefined) {
    return {
      ok: true,
      value: { mode: found.value, activeAgentId, input: given.input, ...usual },
      diagnostics: [],
    };
  }
  const chosen = chooseMenu(source.package, activeAgentId, given.menu);
  if (!chosen.ok) {
    const there = chosen.error.join(', ') || 'none';
    return noItem(`The menu of "${activeAgentId}" has no item "${given.menu}". There are: ${there}`);
  }
  const { label, input: words, workflow, data: path } = chosen.value;
  const text = path === undefined ? undefined : source.menuData.get(path);
  if (path !== undefined && text === undefined)
    return noItem(`The item "${given.menu}" hands in ${path}, which is not there`);
  const mode = workflow === undefined ? found : modeOf({ ...source, workflow }, given);
  if (!mode.ok) return mode;
  const handed = path === undefined || text === undefined ? {} : { data: { label, path, text } };
  const value = { mode: mode.value, activeAgentId, input: given.input ?? words, ...handed, ...usual };
  return { ok: true, value, diagnostics: [] };
}

/** A file without a label is called by its name. */
const named = ({ label, path, text }: NonNullable<Input['data']>): DataContext => ({
  label: label ?? path.split(/[/\\]/).at(-1) ?? path,
  path,
  text,
});

const noItem = (message: string): Loaded<never> => ({
  ok: false,
  diagnostics: [{ code: 'MENU_ITEM_NOT_FOUND', severity: 'error', message }],
});

/** Steps whose agent may not use the tools that every step is told to use. */
function missingTools(
  { package: own, workflow }: WorkflowSource,
  settings: ToolSettings | undefined,
): readonly Diagnostic[] {
  const active = firstAgent(own);
  const speakers = new Map([...workflow.nodes.values()].map(({ node }) => [node.agentId ?? active, node.id]));
  return [...speakers].flatMap(([id, node]) => {
    const agent = own.agents.get(id);
    if (
      agent === undefined ||
      !guard('package.tools', !mergePolicies(settings, agent.agent.tools).fs.enabled)
    )
      return [];
    const who = agent.agent.tools?.fs?.enabled === false ? 'agents.json' : 'cuebook.yaml';
    const message = `"${id}" speaks at "${node}" and has no file tools (${who}): it can neither read the step nor change the state`;
    const problem = { code: 'E_PACKAGE_TOOLS', severity: 'error', message } as const;
    return [diagnosticAt(agent.yaml, ['tools', 'fs', 'enabled'], problem)];
  });
}

type FoundMode =
  | { readonly ok: true; readonly value: TurnMode; readonly activeAgentId: string | undefined }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

function modeOf(
  { workflow }: Pick<WorkflowSource, 'workflow'>,
  { mode, state: text, intent, autopilot }: Input,
): FoundMode {
  const read = readState(text ?? initialState({ workflow }));
  if (!read.ok) {
    const { code } = read.error;
    const message = describeStateError(read.error);
    const line = read.error.code === 'E_INVALID_FRONTMATTER' ? { line: read.error.line } : {};
    return {
      ok: false,
      diagnostics: [{ code, severity: 'error', message, file: '@state/workflow.md', ...line }],
    };
  }
  const { state } = read.value;
  const { activeAgentId } = state;
  if (mode !== 'run') return { ok: true, value: { kind: mode }, activeAgentId };
  const usual = text === undefined ? 'start' : 'continue';
  return {
    ok: true,
    value: { kind: 'run', workflow, state, intent: intent ?? usual, autopilot },
    activeAgentId,
  };
}

const firstAgent = ({ agents }: WorkflowPackage): string => [...agents.keys()][0] ?? '';
