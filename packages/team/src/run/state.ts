import {
  type Approvals,
  areSettled,
  type Budget,
  type Calls,
  DEFAULT_STALL_RULES,
  EMPTY_BUDGET,
  type Exhausted,
  NO_APPROVALS,
  NO_STALL,
  pendingApprovals,
  type StallRules,
  type StallState,
  type StallVerdict,
} from '@cuebook/engine';
import type { SourcesPlace } from '@cuebook/host';
import type { DiffOutcome } from '@cuebook/workspace';
import type { GlobalMode } from '../capability/global-mode.js';
import type { ServedTool } from '../capability/served.js';
import type { TeamEdge } from '../graph/edge.js';
import type { Envelope, Made, PendingReply } from '../graph/envelope.js';
import type { NodeText, TeamNode } from '../graph/node.js';
import type { PersonMessage } from '../prompt/incoming.js';
import type { PromptKind, SessionFacts } from '../prompt/kind.js';
import type { Memory } from '../prompt/past.js';
import type { TurnResult } from '../prompt/result.js';
import type { RunMode, TurnCause } from '../prompt/task.js';
import type { RoleTemplate } from '../role/template.js';
import { DEFAULT_LIMITS, type RunLimits } from './limits.js';
import { type AsideOutcome, LEFT_CODE, type NodeTurnOutcome } from './outcome.js';

/** A team run. Plain JSON, and nothing but what follows from its events. */
export type TeamState = {
  readonly status: 'new' | 'running' | 'paused' | 'completed' | 'failed' | 'stopped';
  readonly pause: RunPause | null;
  readonly settings: RunSettings;
  /** The team file and templates that it uses; left out where nothing was kept. */
  readonly sources?: SourcesPlace;
  readonly nodes: { readonly [id: string]: NodeState };
  readonly edges: readonly TeamEdge[];
  /** The templates as they are used: an edit counts from the moment it is adopted. */
  readonly roles: { readonly [name: string]: RoleTemplate };
  /** Edits by agents that wait for a person, by approval. */
  /** The tools of MCP servers, as the servers listed them last. Left out: nobody has asked. */
  readonly served?: readonly ServedTool[];
  readonly proposals: { readonly [approval: string]: RoleTemplate };
  readonly replies: readonly PendingReply[];
  readonly approvals: Approvals;
  readonly budget: Budget;
  /** Turns of all nodes together, for cycles between them. */
  readonly stall: StallState;
  /** Turns started so far. */
  readonly turns: number;
  readonly result: RunResult | null;
  /** What a node said last. */
  readonly said?: string;
  /** A script has answered, not a model. */
  readonly rehearsal?: true;
  /** Somebody has said that the run is done; what is still owed is waited for. */
  readonly finishing?: Finishing | null;
  /** The texts that are kept with the run, by hash: what a reference may name. */
  readonly artifacts?: { readonly [hash: string]: string };
  /** Effects that a person was asked about after a crash. */
  readonly doubts: readonly string[];
};

/** What a run was started with, as it is in the log. */
export type RunSettings = {
  readonly run: string;
  readonly mode: RunMode;
  readonly globalMode: GlobalMode;
  readonly goal: NodeText | null;
  readonly done: readonly NodeText[];
  readonly verify: readonly string[];
  readonly limits: RunLimits;
  /** The names that a spawned node may speak with. */
  readonly providers: readonly string[];
  readonly stall: StallRules;
  readonly maxResultBytes: number;
};

/** Why a run does not go on by itself. */
export type RunPause =
  | { readonly kind: 'person'; readonly by: string }
  | { readonly kind: 'budget'; readonly exhausted: Exhausted }
  | { readonly kind: 'stall'; readonly verdict: StallVerdict };

/** How a run ended. */
export type RunResult = {
  readonly ok: boolean;
  readonly summary: string;
  /** A node's id, or a person's name. */
  readonly by: string;
  /** Nodes whose last verification failed. */
  readonly failing: readonly string[];
  /** What was waited for between the word that the run is done and its end. */
  readonly waited?: readonly Owed[];
};

/** A run that is done as soon as nothing is owed. Nothing new begins but the checks that are owed. */
export type Finishing = {
  readonly summary: string;
  /** A node's id, or a person's name. */
  readonly by: string;
  readonly waits: readonly Owed[];
  /** The check that runs now. */
  readonly check?: { readonly effect: string; readonly node: string } | null;
};

/** What a node owes before a run can be done. */
export type Owed = {
  readonly node: string;
  readonly turn: number;
  readonly what: readonly ('turn' | 'diff' | 'checks')[];
};

/** A node with all that waits for it. */
export type NodeState = {
  readonly node: TeamNode;
  readonly inbox: readonly Envelope[];
  readonly messages: readonly PersonMessage[];
  /** What came of its turns and has not been told yet. */
  readonly results: readonly TurnResult[];
  /** It is to be asked although nothing came in. */
  readonly wake: Extract<TurnCause, 'start' | 'resume'> | null;
  readonly work: NodeWorkState | null;
  readonly hold: NodeHold | null;
  readonly session: SessionFacts;
  /** Digests of the stable parts that the session has heard. */
  readonly heard: { readonly [part: string]: string };
  readonly stall: StallState;
  /** Its conversation so far. */
  readonly memory: Memory;
  /** Tools that a person has allowed this node for the rest of the run. */
  readonly granted: readonly string[];
  /** What the last check of its work said; `null` when it passed or there was none. */
  readonly verification: string | null;
  /** The number of its last turn among all turns of the run. */
  readonly lastTurn: number;
  /** Which model its next turn is asked of, after one that failed: 1 is the first fallback. Left out: its own. */
  readonly model?: number;
  /** What was asked in a turn that the end of its host cut off: its next turn is not asked about it again. */
  readonly carried?: readonly string[];
  /** Its newest changes, oldest first: what it is told that it made, and what others are told of it. */
  readonly made?: readonly Made[];
  /** For each node that was told of them: the last turn whose changes it knows. */
  readonly reported?: { readonly [node: string]: number };
  /** The turn that left changes in its folder which no check has seen. */
  readonly unchecked?: number | null;
};

/** Why a node does not go on by itself. A person's word resumes it. */
export type NodeHold =
  | { readonly kind: 'stall'; readonly verdict: StallVerdict }
  | { readonly kind: 'budget'; readonly exhausted: Exhausted }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'interrupted'; readonly by: string };

/** A turn from its start to the end of all that hangs on it: calls, diff, verification. */
export type NodeWorkState = {
  readonly turn: number;
  readonly effect: string;
  readonly kind: PromptKind;
  readonly cause: TurnCause;
  readonly head: string;
  /** The fallback that is asked, and which one it is; left out: the node's own model. */
  readonly fallback?: Fallback;
  /** The mode that it was started in: what it changed is judged by that. */
  readonly globalMode: GlobalMode;
  readonly taken: Pick<NodeState, 'inbox' | 'messages' | 'results'>;
  readonly outcome: NodeTurnOutcome | null;
  readonly judged: boolean;
  readonly calls: Calls;
  /** Calls that the agent makes in mid-turn. */
  readonly native: Calls;
  /** Those of them whose result the agent could not be told: its turn was cut off before. */
  readonly unheard?: readonly string[];
  /** Approvals that turns before asked for and that this one goes on from. */
  readonly carried?: readonly string[];
  /** The effect that is waited for after the calls. */
  readonly step: { readonly effect: string; readonly kind: StepKind } | null;
  readonly diff: DiffOutcome | null;
  readonly flagged: readonly string[];
  /** What became of the changes that may not stay. */
  readonly aside?: AsideOutcome;
  /** Handoffs of this turn: they are delivered when it is known what the turn changed and whether that is right. */
  readonly outbox?: readonly Envelope[];
  /** Why it is not known what the turn changed, or why a change that may not stay is still there; `null`: all is well. */
  readonly unsure: string | null;
  /** Left out: nothing was checked. */
  readonly verification?: string | null;
  /** Who asked for its end. */
  readonly interrupted: {
    readonly by: string;
    readonly why: 'person' | 'message' | 'pause' | 'reset' | 'over';
  } | null;
  /** The outcome was not the driver's own word. */
  readonly crashed: boolean;
};

/** A model in the place of a node's own. */
export type Fallback = { readonly model: string; readonly number: number };

/** What is done after the calls of a turn. */
export type StepKind = 'diff.take' | 'diff.set-aside' | 'verify.run';

/** A run that has not begun. */
export const NEW_TEAM: TeamState = {
  status: 'new',
  pause: null,
  settings: {
    run: '',
    mode: 'AUTO',
    globalMode: 'IMPLEMENTATION',
    goal: null,
    done: [],
    verify: [],
    limits: DEFAULT_LIMITS,
    providers: [],
    stall: DEFAULT_STALL_RULES,
    maxResultBytes: 50_000,
  },
  nodes: {},
  edges: [],
  roles: {},
  proposals: {},
  replies: [],
  approvals: NO_APPROVALS,
  budget: EMPTY_BUDGET,
  stall: NO_STALL,
  turns: 0,
  result: null,
  doubts: [],
};

/** The nodes in the order in which they were added. */
export const nodesOf = (state: TeamState): readonly NodeState[] => Object.values(state.nodes);

/** Whether a node works in the project's folder itself: every machine has its own, so the run stays where it is. */
export const worksInProject = (state: TeamState): boolean =>
  nodesOf(state).some(({ node }) => node.workspace === 'shared');

/** Whether nothing will ever begin in this run again. */
export const isOver = ({ status }: TeamState): boolean =>
  status === 'completed' || status === 'failed' || status === 'stopped';

/** The budget's scope of a run. */
export const RUN_SCOPE = 'run';
/** The budget's scope of a node, inside that of the run. */
export const nodeScope = (node: string): string => `node/${node}`;
/** The lane of a node: its turns and what follows from them, one at a time. */
export const nodeLane = (node: string): string => `node/${node}`;
/** What an agent asked about before it acted by itself, in the turn of an effect. */
export const nativeAbout = (effect: string): string => `native/${effect}`;
/** Whether an approval is about what an agent wanted to do in mid-turn. */
export const isOfTurn = ({ effect, native }: NodeWorkState, { about }: { readonly about: string }): boolean =>
  about === nativeAbout(effect) || native.some(({ id }) => id === about);
/** Whether the end of its host cut the turn off. */
export const isLeft = ({ outcome }: NodeWorkState): boolean => outcome?.end.code === LEFT_CODE;
/** Whether a turn speaks, or was cut off and waits to go on. */
export const isInFlight = (work: NodeWorkState): boolean =>
  work.outcome === null || (isLeft(work) && !work.judged);
/** Whether a turn that was cut off waits for a person: it goes on when all that it asked is answered. */
export const waitsForAnswers = (state: TeamState, work: NodeWorkState): boolean =>
  isLeft(work) &&
  !work.judged &&
  work.interrupted === null &&
  !isOver(state) &&
  (pendingApprovals(state.approvals).some((approval) => isOfTurn(work, approval)) ||
    !areSettled(work.native));
/** The node whose call, or whose turn, an approval is about. */
export const askingNode = (state: TeamState, { about }: { readonly about: string }): NodeState | undefined =>
  nodesOf(state).find(
    ({ work }) =>
      work !== null &&
      (about === nativeAbout(work.effect) || [...work.calls, ...work.native].some(({ id }) => id === about)),
  );
