import { type BesideSources, type OfferedTool, type SpanSource, toolSources } from '@cuebook/prompt';
import { type ServerTool, serverSource } from '@cuebook/provider/servers';
import { TOOLS } from '../shipped-texts.js';
import { visibleTools } from '../tool/catalog.js';
import type { ComposedWorkflowTurn } from './compose.js';
import { OWN_SPELLING, type Spelling, spellBlock, wireSpelling } from './spelling.js';

/** The kinds of those who are told a turn. */
export const VOICES = ['api', 'cli', 'rehearsal'] as const;
export type VoiceKind = (typeof VOICES)[number];

/** Whoever calls tools over an API is told the names that APIs take; a script is told their own. */
export const spellingKindOf = (voice: VoiceKind): Spelling['kind'] =>
  voice === 'rehearsal' ? 'own' : 'wire';

/** A turn as somebody is told it: the words and the tools, with one spelling. */
export interface ToldStep extends Pick<ComposedWorkflowTurn, 'blocks'> {
  readonly tools: readonly OfferedTool[];
  readonly sources: BesideSources;
  readonly spelling: Spelling;
}

/** What a turn is told as. A prompt that is shown and a turn of a run are both made here. */
export function toldTurn(
  { blocks, policy }: Pick<ComposedWorkflowTurn, 'blocks' | 'policy'>,
  kind: Spelling['kind'],
  serverTools: readonly ServerTool[] = [],
): ToldStep {
  const tools = visibleTools(policy, serverTools);
  const servers = new Map(serverTools.map(({ name, server }) => [name, server]));
  const spelling = kind === 'wire' ? wireSpelling(tools.map(({ name }) => name)) : OWN_SPELLING;
  return {
    blocks: blocks.map((block) => spellBlock(block, spelling)),
    tools: tools.map((tool) => ({ ...tool, name: spelling.name(tool.name) })),
    sources: toolSources(tools, (name) => sourcesOf(name, servers.get(name))),
    spelling,
  };
}

/** A tool of ours, or of an MCP server, whose words a stranger wrote. */
const sourcesOf = (name: string, server: string | undefined): Readonly<Record<string, SpanSource>> =>
  server === undefined ? TOOLS.sources(name) : { '': serverSource({ server, name }) };
