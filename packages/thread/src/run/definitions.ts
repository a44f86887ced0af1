import type {
  AgentData,
  Catalog,
  DefinitionEntry,
  HookKind,
  PromptData,
  SideData,
  ToolEntry,
} from '@cuebook/define';
import type { ChildConfig } from './child-config.js';
import type { Frame } from './frame.js';
import type { Side } from './message.js';

/** The agent of a conversation. */
export const agentOf = (
  catalog: Catalog,
  { agent }: Pick<Frame, 'agent'>,
): DefinitionEntry<AgentData> | undefined => (agent === null ? undefined : catalog.agents.get(agent));

/** How a side of a conversation behaves; a sub-prompt has no sides. */
export function sideOf(catalog: Catalog, frame: Frame, side: Side = frame.side): SideData | undefined {
  if (frame.kind === 'sub-prompt') return undefined;
  const agent = agentOf(catalog, frame)?.data;
  return side === 'b' && frame.type === 'dual_ai' ? agent?.sideB : agent?.sideA;
}

/** The prompt that speaks for a side. */
export const promptName = (catalog: Catalog, frame: Frame, side: Side = frame.side): string | undefined =>
  frame.prompt ?? sideOf(catalog, frame, side)?.prompt;

/** The tools whose call ends or reports a session, older names included. */
export const sessionTools = (side: SideData | undefined): SessionTools => ({
  stop: side?.sessionStop ?? side?.endSessionTool,
  fail: side?.sessionFail ?? side?.failSessionTool,
  status: side?.sessionStatus ?? side?.statusTool,
});

interface SessionTools {
  readonly stop: SessionToolData | undefined;
  readonly fail: SessionToolData | undefined;
  readonly status: SessionToolData | undefined;
}

interface SessionToolData {
  readonly name: string;
  readonly messageProperty?: string | undefined;
  readonly attachmentsProperty?: string | undefined;
}

/** The hooks that run for a prompt: its own list, and without one that of the agent. */
export const hookIds = (
  prompt: DefinitionEntry<PromptData> | undefined,
  agent: DefinitionEntry<AgentData> | undefined,
): readonly string[] => prompt?.data.hooks ?? agent?.data.hooks ?? [];

/** Whether a conversation has a hook of one of these kinds. */
export function hasHook(catalog: Catalog, frame: Frame, kinds: readonly HookKind[]): boolean {
  const prompt = catalog.prompts.get(promptName(catalog, frame) ?? '');
  return hookIds(prompt, agentOf(catalog, frame)).some((id) => {
    const kind = catalog.hooks.get(id)?.data.hook;
    return kind !== undefined && kinds.includes(kind);
  });
}

/** Whether something is to be done before the first step of an agent's thread. */
export function needsPreparing(catalog: Catalog, frame: Frame, parent: Frame | undefined): boolean {
  if (frame.kind === 'sub-prompt') return false;
  const prompt = catalog.prompts.get(promptName(catalog, frame, 'a') ?? '');
  const isImmediate = prompt?.data.tools.some(
    ({ immediate }) => immediate !== undefined && immediate !== false,
  );
  return (
    isImmediate === true ||
    hasHook(catalog, frame, ['after_thread_created']) ||
    (parent !== undefined && hasHook(catalog, parent, ['after_subagent_created']))
  );
}

/** How a tool configuration wants its child, with every default. */
export const childConfig = (config: ToolEntry): ChildConfig => ({
  text: config.includeTextResponse ?? true,
  calls: config.includeToolCalls ?? true,
  errors: config.includeErrors ?? true,
  maxSteps: config.maxSteps ?? null,
  blocking: config.blocking ?? true,
  resumable:
    typeof config.resumable === 'object'
      ? {
          receives: config.resumable.receives_messages,
          maxInstances: config.resumable.maxInstances ?? null,
          communication: config.resumable.parentCommunication,
        }
      : null,
});
