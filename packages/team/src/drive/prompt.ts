import type { ComposedTurn, PortError } from '@cuebook/engine';
import {
  composeRequest,
  describeRefusal,
  fail,
  ok,
  type Redactor,
  type Result,
  type ToolDefinition,
} from '@cuebook/prompt';
import type { Limits } from '@cuebook/provider';
import { toolDefinitions, toolsOf } from '../call/tools.js';
import { composeNode } from '../prompt/compose.js';
import type { ContextPack } from '../prompt/context-pack.js';
import type { TeamConfig } from '../run/config.js';
import { promptInput } from '../run/facts.js';
import type { TeamState } from '../run/state.js';

export interface PromptOptions {
  readonly config: Pick<TeamConfig, 'nativeTools'>;
  readonly redactor: Redactor;
  readonly hash: (text: string) => string;
  readonly limits: Partial<Limits>;
  /** Whether our tools are offered to the agent natively, beside the lines that it may write. */
  readonly offersTools: boolean;
  /** Whether calls of earlier turns and their results are told as such, and not in words. */
  readonly structured?: boolean;
  readonly pack?: ContextPack | undefined;
}

/** The words of a node's turn, gated, and the digests of its stable parts. */
export interface NodeWords extends ComposedTurn {
  readonly parts: Readonly<Record<string, string>>;
}

/** Composes the turn that a node has in flight: always in full, and as a delta where its session goes on. */
export function composeTurn(
  state: TeamState,
  id: string,
  { config, redactor, hash, limits, offersTools, structured, pack }: PromptOptions,
): Result<NodeWords, PortError> {
  const input = promptInput(state, id, config, pack, structured);
  const work = state.nodes[id]?.work;
  if (input === undefined || !work) return fail({ code: 'E_NODE_IDLE', message: 'The turn is over.' });
  const { full, delta, parts } = composeNode(input);
  const { orchestrator } = input.task.node;
  const tools = offersTools ? offered(input.nativeTools, orchestrator) : [];
  const request = composeRequest({ blocks: full, tools, hash, redactor });
  if (!request.ok) return refused(request.error);
  if (work.kind.kind === 'full') return ok({ request: request.value, limits, parts });
  const short = composeRequest({ blocks: delta, tools, hash, redactor });
  if (!short.ok) return refused(short.error);
  return ok({ request: request.value, delta: short.value, limits, parts });
}

/** The definitions are the same for every turn, and making them is not cheap. */
function offered(nativeTools: boolean, orchestrator: boolean): readonly ToolDefinition[] {
  const key = `${nativeTools} ${orchestrator}`;
  const tools = definitions.get(key) ?? toolDefinitions(toolsOf({ nativeTools, orchestrator }));
  definitions.set(key, tools);
  return tools;
}

const definitions = new Map<string, readonly ToolDefinition[]>();

const refused = (refusals: readonly Parameters<typeof describeRefusal>[0][]): Result<never, PortError> => {
  const [first] = refusals;
  const more = refusals.length > 1 ? ` And ${refusals.length - 1} more.` : '';
  const message = first === undefined ? 'The prompt was refused.' : `${describeRefusal(first)}${more}`;
  return fail({ code: first?.code ?? 'E_PROMPT_LEAK', message });
};
