import type { ComposedTurn, PortError } from '@cuebook/engine';
import {
  type BesideSources,
  type ComposeMemo,
  composeRequest,
  describeRefusal,
  fail,
  type Hash,
  type OfferedTool,
  ok,
  type Redactor,
  type Result,
  type SpanSource,
  toolSources,
} from '@cuebook/prompt';
import type { TurnLimits } from '@cuebook/provider';
import { serverSource } from '@cuebook/provider/servers';
import { type ToolHolder, toolDefinitions, toolsOf } from '../call/tools.js';
import { offeredTool, type ServedTool, toolsServedTo } from '../capability/served.js';
import { composeNode, type NodePrompt, type NodePromptInput, toolHolder } from '../prompt/compose.js';
import type { Material } from '../prompt/material.js';
import { TEXTS, TOOLS } from '../shipped-texts.js';
import type { TeamConfig } from './config.js';
import { promptInput } from './facts.js';
import type { TeamState } from './state.js';

/** What the words of a turn depend on beside the state. */
export interface WordsOptions {
  readonly config: Pick<TeamConfig, 'nativeTools'>;
  /** Whether our tools are offered to the agent natively, beside the lines that it may write. */
  readonly offersTools: boolean;
  /** Whether calls of earlier turns and their results are told as such, and not in words. */
  readonly structured?: boolean | undefined;
  readonly materials?: readonly Material[] | undefined;
}

/** The words of the turn that a node has in flight, and the tools that it is offered. */
export interface TurnWords extends NodePrompt {
  readonly input: NodePromptInput;
  readonly tools: readonly OfferedTool[];
  readonly sources: BesideSources;
}

/**
 * Everything that is told to a node in the turn that it has in flight; undefined when it has none. What `render` shows
 * and what is sent both come from here.
 */
export function turnWords(
  state: TeamState,
  id: string,
  { config, offersTools, structured, materials }: WordsOptions,
): TurnWords | undefined {
  const input = promptInput(state, id, config, materials, structured);
  if (input === undefined) return undefined;
  const holder = toolHolder(input.role, input.task.node, input.nativeTools);
  const served = toolsServedTo(input.task.node, state.served ?? []);
  const offered = offersTools ? withServed(offeredTools(holder), served) : NO_TOOLS;
  return { input, ...composeNode(input), ...offered };
}

export interface PromptOptions extends WordsOptions {
  readonly redactor: Redactor;
  readonly hash: Hash;
  /** What earlier turns composed. */
  readonly memo?: ComposeMemo;
  readonly limits: Partial<TurnLimits>;
}

/** The words of a node's turn, gated, and the digests of its stable parts. */
export interface NodeWords extends ComposedTurn {
  readonly parts: Readonly<Record<string, string>>;
}

/** Composes the turn that a node has in flight: always in full, and as a delta where its session goes on. */
export function composeTurn(
  state: TeamState,
  id: string,
  { redactor, hash, memo, limits, ...options }: PromptOptions,
): Result<NodeWords, PortError> {
  const words = turnWords(state, id, options);
  const work = state.nodes[id]?.work;
  if (words === undefined || !work) return fail({ code: 'E_NODE_IDLE', message: 'The turn is over.' });
  const { full, delta, parts, tools, sources, input } = words;
  const { source, file, text, commit } = input.role;
  // A template may be another one than the run was begun with.
  const files = source === 'repository' ? { [file]: { hash: hash(text), ...(commit && { commit }) } } : {};
  const request = composeRequest({ blocks: full, tools, sources, hash, redactor, memo });
  if (!request.ok) return refused(request.error);
  if (work.kind.kind === 'full') return ok({ request: request.value, files, limits, parts });
  const short = composeRequest({ blocks: delta, tools, sources, hash, redactor, memo });
  if (!short.ok) return refused(short.error);
  return ok({ request: request.value, delta: short.value, files, limits, parts });
}

const refused = (refusals: readonly Parameters<typeof describeRefusal>[0][]): Result<never, PortError> => {
  const [first] = refusals;
  const more = refusals.length > 1 ? ` And ${refusals.length - 1} more.` : '';
  const message = first === undefined ? 'The prompt was refused.' : `${describeRefusal(first)}${more}`;
  return fail({ code: first?.code ?? 'E_PROMPT_LEAK', message });
};

/** The definitions are the same for every turn, and making them is not cheap. */
function offeredTools(holder: ToolHolder): Offered {
  const key = toolsOf(holder).join(' ');
  const known = definitions.get(key);
  if (known !== undefined) return known;
  const tools = toolDefinitions(toolsOf(holder));
  const offered = { tools, sources: toolSources(tools, sourcesOf) };
  definitions.set(key, offered);
  return offered;
}

/** Our tools, and behind them those of servers, whose words are a stranger's. */
function withServed({ tools, sources }: Offered, served: readonly ServedTool[]): Offered {
  if (served.length === 0) return { tools, sources };
  const all = [...tools, ...served.map(offeredTool)];
  const strangers = new Map(served.map((tool) => [tool.name, serverSource(tool)]));
  const theirs = toolSources(all, (name): Readonly<Record<string, SpanSource>> => {
    const source = strangers.get(name);
    return source === undefined ? {} : { '': source };
  });
  return { tools: all, sources: { ...sources, ...theirs } };
}

/** The words of a tool stand in one file, its arguments in another. */
function sourcesOf(name: string): Readonly<Record<string, SpanSource>> {
  const { text: _, ...description } = TEXTS.piece(`tools.md#${name}`);
  return { ...TOOLS.sources(name), '/description': description };
}

type Offered = Pick<TurnWords, 'tools' | 'sources'>;

const NO_TOOLS: Offered = { tools: [], sources: {} };
const definitions = new Map<string, Offered>();
