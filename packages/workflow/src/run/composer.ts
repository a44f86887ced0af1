import type { ConversationMessage, ComposedTurn as EngineTurn, PortError } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import {
  type BlockInput,
  type ComposeMemo,
  composeRequest,
  describeRefusal,
  fail,
  type Hash,
  type JsonValue,
  ok,
  type Redactor,
  type Refusal,
  type Result,
} from '@cuebook/prompt';
import type { ServerTool } from '@cuebook/provider/servers';
import { type ComposedWorkflowTurn, composeTurn, type TurnMode } from '../compose/compose.js';
import type { DataContext } from '../compose/data-context.js';
import type { Intent } from '../compose/directive.js';
import { describePrecondition } from '../compose/error.js';
import { type Spelling, spellBlock } from '../compose/spelling.js';
import { type ToldStep, toldTurn } from '../compose/told.js';
import type { Workflow, WorkflowPackage } from '../package/package.js';
import type { ToolSettings } from '../policy/policy.js';
import { TEXTS } from '../shipped-texts.js';
import { readState, type StateDocument } from '../state/document.js';
import { describeStateError } from '../state/error.js';
import { isComplete } from '../state/rules.js';
import { blockBytes, type TellOptions, tellHistory } from './history/condense.js';
import type { ComposedFacts, RunFacts } from './machine/facts.js';
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
  /** What earlier turns composed. */
  readonly memo?: ComposeMemo | undefined;
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
  /** How it is told the names of tools. */
  readonly spelling: Spelling['kind'];
}

/** A turn ready to be sent, and what the run notes about it first. */
export interface ReadyTurn {
  readonly composed: ComposedFacts;
  readonly turn: EngineTurn;
}

/** Composes the turns of a run, one after the other. It remembers where the latest anchor stands. */
export interface WorkflowComposer {
  compose(state: WorkflowRunState, effect: string): Promise<Result<ReadyTurn, PortError>>;
}

/** The blocks that say where the run is, in their place in the history. Later ones replace it. */
interface Anchor {
  readonly at: number;
  readonly blocks: readonly BlockInput[];
  readonly key: string;
}

export function createRunComposer(input: ComposerInput): WorkflowComposer {
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
      const composed: ComposedFacts = {
        effect,
        agentId: made.value.effectiveAgentId,
        nodeId: made.value.nodeId ?? null,
        intent,
        isComplete: isDone,
        isClosing: isDone && !state.isClosed && !isPerson(history.at(-1)),
        stateSha256: stored.value?.sha256 ?? null,
        ...changedState(stored.value, state.composed?.stateSha256 ?? null, redactor),
        voice: input.voice.name,
        spelling: input.voice.spelling,
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

function changedState(
  stored: StoredText | undefined,
  before: string | null,
  redactor: Redactor,
): Pick<ComposedFacts, 'state'> {
  if (stored === undefined || stored.sha256 === before) return {};
  const { stepsCompleted, variables, decisionLog, artifacts } = stored.document.state;
  const told = { stepsCompleted, variables, decisionLog, artifacts };
  return { state: redactor.redactValue(JSON.parse(JSON.stringify(told)) as JsonValue).value };
}

async function readStored(keeper: Files): Promise<Result<StoredText | undefined, PortError>> {
  const found = await keeper.readDocument('workflow.md');
  if (!found.ok) return fail(precondition(`The state of the run cannot be read (${found.error.code})`));
  const document = readState(found.value.text);
  if (!document.ok) return fail(precondition(describeStateError(document.error)));
  return ok({ document: document.value, sha256: found.value.sha256 });
}

/** `start` until somebody has answered; `resume` for the first turn of another process; else `continue`. */
function intentOf(history: readonly ConversationMessage[], anchor: Anchor | undefined): Intent {
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

const isPerson = (message: ConversationMessage | undefined): boolean =>
  message?.role === 'user' && message.by !== 'cuebook';

/**
 * The anchor is said again when a person has spoken, when the step or the agent has changed, and by a new process;
 * otherwise it stays as and where it was, so that the beginning of the prompt stays the same.
 */
function nextAnchor(
  old: Anchor | undefined,
  { blocks, nodeId, effectiveAgentId }: ComposedWorkflowTurn,
  history: readonly ConversationMessage[],
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
  readonly composed: ComposedFacts;
  readonly anchor: Anchor;
  readonly made: ComposedWorkflowTurn;
}

async function requestOf(input: ComposerInput, parts: Parts): Promise<Result<EngineTurn, PortError>> {
  const { state, composed, anchor, made } = parts;
  const now = toldTurn(made, input.voice.spelling, input.serverTools);
  const { spelling } = now;
  const { tools: spelled, params } = toolsOf(input, now, composed);
  const system = now.blocks.filter(({ role }) => role === 'system');
  const anchored = anchor.blocks.map((block) => spellBlock(block, spelling));
  const taken = [...system, ...anchored].reduce((sum, block) => sum + blockBytes(block), FRAME);
  const room = input.maxBytes - taken - Buffer.byteLength(JSON.stringify(spelled));
  const told = await tellHistory(state.agent.history, historyOptions(input, parts, { room, spelling }));
  if (told === undefined) return fail(TOO_LARGE);
  const before = told.blocks.slice(0, anchor.at).filter(isTold);
  const after = told.blocks.slice(anchor.at).filter(isTold);
  const said = [...(told.note === undefined ? [] : [told.note]), ...before, ...anchored, ...after];
  const blocks = [...system, ...(said[0]?.role === 'user' ? [] : [opening()]), ...said];
  const { hash, redactor, memo } = input;
  const sources = spelled.length === 0 ? undefined : now.sources;
  const beside = { tools: spelled, params, sources, hash, redactor, memo };
  const request = composeRequest({ blocks, ...beside });
  if (!request.ok) return fail(refusal(request.error));
  const knows = input.voice.keepsHistory && state.composed?.voice === input.voice.name;
  const fresh = knows ? newBlocks(state, { ...anchor, blocks: anchored }, told.blocks) : undefined;
  if (fresh === undefined) return ok({ request: request.value });
  const delta = composeRequest({ blocks: [...system, ...fresh], ...beside });
  return delta.ok ? ok({ request: request.value, delta: delta.value }) : fail(refusal(delta.error));
}

const isTold = (block: BlockInput | undefined): block is BlockInput => block !== undefined;

/** The opening and JSON around the words. */
const FRAME = 500;

const TOO_LARGE: PortError = {
  code: 'CONTEXT_STILL_TOO_LARGE',
  message: 'The fixed blocks and the newest message do not fit the model, even with all else left out',
};

const refusal = (refusals: readonly Refusal[]): PortError => {
  const [first] = refusals;
  return { code: first?.code ?? 'E_PROMPT_LEAK', message: first === undefined ? '' : describeRefusal(first) };
};

/** A conversation begins with the user's side, whatever was said first. */
const opening = (): BlockInput => ({
  name: 'opening',
  role: 'user',
  pieces: [TEXTS.piece('turn.md#history.opening')],
});

function historyOptions(
  input: ComposerInput,
  { state, composed }: Parts,
  { room, spelling }: { readonly room: number; readonly spelling: Spelling },
): TellOptions {
  const hasState = state.facts?.mode === 'run';
  return {
    workflow: hasState ? input.workflow : undefined,
    nodeOf: (index) => placeOf(state, index, composed.nodeId),
    codeOf: (call) => (Object.hasOwn(state.refused, call) ? state.refused[call] : undefined),
    keeper: hasState ? input.keeper : undefined,
    room,
    spelling,
  };
}

function toolsOf({ voice }: ComposerInput, { tools }: ToldStep, { isClosing }: ComposedFacts) {
  if (!isClosing) return { tools, params: {} };
  return voice.takesToolChoice ? { tools, params: { toolChoice: 'none' } } : { tools: [], params: {} };
}

/** What an agent that keeps the history has not heard yet; undefined when it has heard nothing. */
function newBlocks(
  { agent }: WorkflowRunState,
  anchor: Anchor,
  history: readonly (BlockInput | undefined)[],
): readonly BlockInput[] | undefined {
  if (agent.sessionId === null) return undefined;
  const from = agent.history.findLastIndex(({ role }) => role === 'assistant') + 1;
  if (from === 0) return undefined;
  const told = (blocks: readonly (BlockInput | undefined)[]) => blocks.filter(isTold);
  const isUser = ({ role }: BlockInput): boolean => role === 'user';
  if (anchor.at < from) return told(history.slice(from)).filter(isUser);
  return [
    ...told(history.slice(from, anchor.at)).filter(isUser),
    ...anchor.blocks,
    ...told(history.slice(anchor.at)),
  ];
}
