import type { Composition } from '@cuebook/profile';
import type { ServedTool } from '../capability/served.js';
import { teamConfig } from '../drive/config.js';
import { createVoices, type VoiceOptions, type Voices } from '../drive/voices.js';
import { findNode } from '../graph/reference.js';
import { edgeScopeOf } from '../role/template.js';
import type { RunStart } from '../run/command.js';
import { decideTeam } from '../run/decide.js';
import { projectTeam } from '../run/project.js';
import { NEW_TEAM, nodesOf, type TeamState } from '../run/state.js';
import { beginTurn } from '../run/step/schedule.js';
import { turnWords } from '../run/turn-words.js';

/** Composes first prompts of nodes, as runs of this project do. */
export type FirstPrompt = (
  start: Omit<RunStart, 'run' | 'by' | 'priced' | 'providers'>,
  /** The node, by alias; left out: the one that begins. */
  wanted?: string,
  /** The tools of MCP servers, where they were asked. */
  served?: readonly ServedTool[],
) => Composition | undefined;

/**
 * The first prompt of a node: a run is begun in memory, with the same decisions and the same words as a real one, and
 * nothing is sent. Undefined: there is no such node, or the run cannot begin, which `check` has told.
 */
export function createFirstPrompt(options: VoiceOptions): FirstPrompt {
  const voices = createVoices(options);
  const config = teamConfig(voices, { approvalMs: 0 });
  return (given, wanted, served = []) => {
    const fresh: TeamState = { ...NEW_TEAM, served };
    const context = { now: 0, newId: createIds() };
    const start: RunStart = {
      ...given,
      ...{ run: 'run_first', by: 'render', providers: voices.names },
      priced: given.nodes.every((node) => voices.priceOf(node) !== undefined),
    };
    const decision = decideTeam(fresh, start, config, context);
    if (!decision.ok) return undefined;
    const begun = decision.events.reduce(projectTeam, fresh);
    const nodes = nodesOf(begun).map((each) => each.node);
    const entry = nodes.find(({ orchestrator }) => orchestrator) ?? nodes[0];
    const node = wanted === undefined ? entry : findNode(nodes, wanted);
    if (node === undefined) return undefined;
    if (begun.nodes[node.id]?.work != null) return compositionOf(begun, node.id, voices);
    // Whoever does not begin is asked when something is handed to it: as the first of a run in which nobody was.
    const quiet = decideTeam(fresh, { ...start, goal: null }, config, { now: 0, newId: createIds() });
    const still = quiet.ok ? quiet.events.reduce(projectTeam, fresh) : fresh;
    const told: TeamState = { ...still, settings: begun.settings };
    const asked = told.nodes[node.id];
    if (asked === undefined) return undefined;
    const cause = node.id === entry?.id ? 'start' : 'handoff';
    const state = beginTurn(told, asked, cause, { config, context }).reduce(projectTeam, told);
    return compositionOf(state, node.id, voices);
  };
}

function compositionOf(state: TeamState, id: string, voices: Voices): Composition | undefined {
  const node = state.nodes[id]?.node;
  if (node === undefined) return undefined;
  const config = teamConfig(voices, { approvalMs: 0 });
  const voice = voices.entry(node.provider);
  const offersTools = voice?.capabilities.nativeTools ?? true;
  const structured = voice?.kind === 'api' && offersTools;
  const words = turnWords(state, id, { config, offersTools, structured });
  if (words === undefined) return undefined;
  const { role } = words.input;
  return {
    blocks: words.full,
    tools: words.tools,
    sources: words.sources,
    params: node.model === undefined ? {} : { model: node.model },
    capabilities: [
      `edge_management_${edgeScopeOf(role)}`,
      ...role.capabilities.filter((word) => !word.startsWith('edge_')),
    ],
  };
}

/** A run gives out ids of its own; before there is one numbers stand for them. */
function createIds(): (prefix: string) => string {
  const counts = new Map<string, number>();
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}_${count}`;
  };
}
