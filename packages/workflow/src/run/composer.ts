import type { AgentMessage, ComposedTurn as EngineTurn, PortError } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import {
  type BlockInput,
  composeRequest,
  describeRefusal,
  fail,
  type Hash,
  ok,
  type Redactor,
  type Refusal,
  type Result,
} from '@cuebook/prompt';
import { type ComposedTurn, composeTurn, type TurnMode } from '../compose/compose.js';
import type { DataContext } from '../compose/data-context.js';
import type { Intent } from '../compose/directive.js';
import { describePrecondition } from '../compose/error.js';
import { shipped } from '../compose/labels.js';
import type { Workflow, WorkflowPackage } from '../package/package.js';
import type { ToolSettings } from '../policy/policy.js';
import { visibleTools } from '../policy/tools.js';
import type { ServerTool } from '../server/servers.js';
import { readState, type StateDocument } from '../state/document.js';
import { describeStateError } from '../state/error.js';
import { isComplete } from '../state/rules.js';
import { keepResult } from '../tool/keep.js';
import { messageBlock, resultText } from './history/blocks.js';
import { type Condensed, condenseHistory } from './history/condense.js';
import type { Composed, RunFacts } from './machine/facts.js';
import { placeOf, type WorkflowRunState } from './machine/state.js';

/** What the turns of one run are composed from. */
export interface ComposerInput {
  readonly package: WorkflowPackage;
  readonly workflow: Workflow;
  /** The folder of the run, with the state of a workflow. */
  readonly keeper: Files;
  readonly settings: ToolSettings;
  readonly serverTools: readonly ServerTool[];
  readonly redactor: Redactor;
  readonly hash: Hash;
  /** Bytes that a request may have: what is over it is told by reference. */
  readonly maxBytes: number;
  readonly voice: VoiceFacts;
  /** A file that the conversation is about. */
  readonly data?: DataContext | undefined;
}

/** What must be known of the one who speaks. */
export interface VoiceFacts {
  readonly name: string;
  /** Whether it takes `toolChoice`: then the tools of the closing turn are switched off instead of left out. */
  readonly takesToolChoice: boolean;
  /** Whether it keeps the history itself: then only what is new is sent. */
  readonly keepsHistory: boolean;
}

/** A turn ready to be sent, and what the run notes about it first. */
export interface ReadyTurn {
  readonly composed: Composed;
  readonly turn: EngineTurn;
}

/** Composes the turns of a run, one after the other. It remembers where the latest anchor stands. */
export interface RunComposer {
  compose(state: WorkflowRunState, effect: string): Promise<Result<ReadyTurn, PortError>>;
}

/** The blocks that say where the run is, in their place in the history. Later ones replace it. */
interface Anchor {
  readonly at: number;
  readonly blocks: readonly BlockInput[];
  readonly key: string;
}

export function createRunComposer(input: ComposerInput): RunComposer {
  let anchor: Anchor | undefined;
  return {
    async compose(state, effect) {
      const { facts, agent } = state;
      if (facts === null) return fail(precondition('The run has not begun'));
      const { history } = agent;
      const stored = facts.mode === 'run' ? await readStored(input.keeper) : ok(undefined);
      if (!stored.ok) return stored;
      const intent = intentOf(history, anchor);
      const mode = modeOf(facts, input, stored.value?.document, intent);
      const { activeAgentId } = facts;
      const { settings, redactor, data } = input;
      const made = composeTurn({ package: input.package, mode, activeAgentId, settings, redactor, data });
      if (!made.ok) return fail(precondition(describePrecondition(made.error)));
      anchor = nextAnchor(anchor, made.value, history, mode);
      const isDone = mode.kind === 'run' && isComplete(mode.workflow, mode.state);
      const composed: Composed = {
        effect,
        agentId: made.value.effectiveAgentId,
        nodeId: made.value.nodeId ?? null,
        intent,
        isComplete: isDone,
        isClosing: isDone && !state.isClosed && !isPerson(history.at(-1)),
        stateSha256: stored.value?.sha256 ?? null,
        voice: input.voice.name,
        messages: history.length,
      };
      const turn = await requestOf(input, { state, composed, anchor, made: made.value });
      return turn.ok ? ok({ composed, turn: turn.value }) : turn;
    },
  };
}

const precondition = (message: string): PortError => ({ code: 'ENGINE_PRECONDITION_FAILED', message });

interface StoredText {
  readonly document: StateDocument;
  readonly sha256: string;
}

async function readStored(keeper: Files): Promise<Result<StoredText | undefined, PortError>> {
  const found = await keeper.readDocument('workflow.md');
  if (!found.ok) return fail(precondition(`The state of the run cannot be read (${found.error.code})`));
  const document = readState(found.value.text);
  if (!document.ok) return fail(precondition(describeStateError(document.error)));
  return ok({ document: document.value, sha256: found.value.sha256 });
}

/** `start` until somebody has answered; `resume` for the first turn of another process; else `continue`. */
function intentOf(history: readonly AgentMessage[], anchor: Anchor | undefined): Intent {
  if (!history.some(({ role }) => role === 'assistant')) return 'start';
  return anchor === undefined ? 'resume' : 'continue';
}

function modeOf(
  { mode, autopilot }: RunFacts,
  { workflow }: ComposerInput,
  document: StateDocument | undefined,
  intent: Intent,
): TurnMode {
  if (mode !== 'run' || document === undefined) return { kind: mode === 'agent' ? 'agent' : 'chat' };
  return { kind: 'run', workflow, state: document.state, intent, autopilot };
}

const isPerson = (message: AgentMessage | undefined): boolean =>
  message?.role === 'user' && message.by !== 'cuebook';

/**
 * The anchor is said again when a person has spoken, when the step or the agent has changed, and by a new process;
 * otherwise it stays as and where it was, so that the beginning of the prompt stays the same.
 */
function nextAnchor(
  old: Anchor | undefined,
  { blocks, nodeId, effectiveAgentId }: ComposedTurn,
  history: readonly AgentMessage[],
  mode: TurnMode,
): Anchor {
  const key = JSON.stringify([mode.kind, nodeId ?? null, effectiveAgentId]);
  const said = blocks.filter(({ role }) => role !== 'system');
  const isNew = old === undefined || old.key !== key || (isPerson(history.at(-1)) && history.length > old.at);
  if (!isNew && old !== undefined) return old;
  let at = history.length;
  while (at > 0 && isPerson(history[at - 1])) at -= 1;
  return { at, blocks: said, key };
}

interface Parts {
  readonly state: WorkflowRunState;
  readonly composed: Composed;
  readonly anchor: Anchor;
  readonly made: ComposedTurn;
}

async function requestOf(input: ComposerInput, parts: Parts): Promise<Result<EngineTurn, PortError>> {
  const { state, composed, anchor, made } = parts;
  const system = made.blocks.filter(({ role }) => role === 'system');
  const fixed = [...system, ...anchor.blocks];
  const taken = fixed.reduce((sum, { pieces }) => sum + bytesOf(pieces), 0) + FRAME;
  const condensed = condenseHistory(state.agent.history, { maxBytes: input.maxBytes, taken });
  if (condensed === undefined) return fail(TOO_LARGE);
  const history = await historyBlocks(input, parts, condensed);
  const told = [...history.slice(0, anchor.at), ...anchor.blocks, ...history.slice(anchor.at)];
  const isOpen = told[0]?.role === 'user';
  const blocks = [...system, ...(isOpen ? [] : [OPENING]), ...told];
  const { tools, params } = toolsOf(input, made, composed);
  const { hash, redactor } = input;
  const request = composeRequest({ blocks, tools, params, hash, redactor });
  if (!request.ok) return fail(refusal(request.error));
  const knows = input.voice.keepsHistory && state.composed?.voice === input.voice.name;
  const fresh = knows ? newBlocks(state, anchor, history) : undefined;
  if (fresh === undefined) return ok({ request: request.value });
  const delta = composeRequest({ blocks: [...system, ...fresh], tools, params, hash, redactor });
  return delta.ok ? ok({ request: request.value, delta: delta.value }) : fail(refusal(delta.error));
}

/** Tools, names and JSON around the words. */
const FRAME = 8_000;

const TOO_LARGE: PortError = {
  code: 'CONTEXT_STILL_TOO_LARGE',
  message: 'The conversation does not fit the model, even with older tool results told by reference',
};

const refusal = (refusals: readonly Refusal[]): PortError => {
  const [first] = refusals;
  return { code: first?.code ?? 'E_PROMPT_LEAK', message: first === undefined ? '' : describeRefusal(first) };
};

const bytesOf = (pieces: BlockInput['pieces']): number =>
  pieces.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** A conversation begins with the user's side, whatever was said first. */
const OPENING: BlockInput = {
  name: 'opening',
  role: 'user',
  pieces: [shipped('run history', 'This is the run so far.')],
};

async function historyBlocks(
  input: ComposerInput,
  { state, composed }: Parts,
  condensed: readonly Condensed[],
): Promise<readonly BlockInput[]> {
  const codeOf = (call: string) => (Object.hasOwn(state.refused, call) ? state.refused[call] : undefined);
  const hasState = state.facts?.mode === 'run';
  const options = {
    workflow: hasState ? input.workflow : undefined,
    nodeOf: (index: number) => placeOf(state, index, composed.nodeId),
    codeOf,
  };
  const blocks: BlockInput[] = [];
  for (const [index, { message, isCut }] of condensed.entries()) {
    if (!isCut) {
      blocks.push(messageBlock(message, index, options));
      continue;
    }
    const text = resultText(message, { codeOf });
    const told = await keepResult(text, message.name, hasState ? input.keeper : undefined);
    blocks.push(messageBlock({ ...message, text: JSON.stringify(told) }, index, options));
  }
  return blocks;
}

function toolsOf({ serverTools, voice }: ComposerInput, { policy }: ComposedTurn, { isClosing }: Composed) {
  const tools = visibleTools(policy, serverTools);
  if (!isClosing) return { tools, params: {} };
  return voice.takesToolChoice ? { tools, params: { toolChoice: 'none' } } : { tools: [], params: {} };
}

/** What an agent that keeps the history has not heard yet; undefined when it has heard nothing. */
function newBlocks(
  { agent }: WorkflowRunState,
  anchor: Anchor,
  history: readonly BlockInput[],
): readonly BlockInput[] | undefined {
  if (agent.sessionId === null) return undefined;
  const from = agent.history.findLastIndex(({ role }) => role === 'assistant') + 1;
  if (from === 0) return undefined;
  const news = history.slice(from).filter(({ role }) => role === 'user');
  return anchor.at >= from
    ? [
        ...history.slice(from, anchor.at).filter(({ role }) => role === 'user'),
        ...anchor.blocks,
        ...history.slice(anchor.at),
      ]
    : news;
}
