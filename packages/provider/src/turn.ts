import type { GatedRequest, JsonValue, Redactor } from '@cuebook/prompt';
import type { SessionFiles } from './agent/session-files.js';

/**
 * What happens in one turn, in order. `turn.start` comes first and `turn.end` last, exactly one of each,
 * whatever goes wrong: a stream of these never rejects.
 */
export type TurnEvent =
  | TurnStart
  | { readonly type: 'text.delta'; readonly block: number; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly block: number; readonly text: string }
  | ToolStart
  | { readonly type: 'tool.delta'; readonly id: string; readonly json: string }
  | ToolEnd
  | ApprovalRequest
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'log'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  | TurnEnd;

export interface TurnStart {
  readonly type: 'turn.start';
  readonly provider: string;
  readonly model?: string;
  /** The provider's own session, known before anything is sent to it, so that a later process resumes it. */
  readonly sessionId?: string;
  /** Set by the scripted provider alone: every screen says so. */
  readonly rehearsal?: true;
}

/**
 * Who runs a tool: `caller` is whoever drives the turn (the call is asked for, its result goes into the next
 * request or back through `callTool`); `agent` is the CLI agent itself, with its own tools.
 */
export type ToolRunner = 'caller' | 'agent';

export interface ToolStart {
  readonly type: 'tool.start';
  readonly id: string;
  readonly name: string;
  /** What the model called it, where that is another spelling of the name. */
  readonly said?: string;
  readonly by: ToolRunner;
}

export interface ToolEnd {
  readonly type: 'tool.end';
  readonly id: string;
  readonly name: string;
  /** What the model called it, where that is another spelling of the name. */
  readonly said?: string;
  readonly by: ToolRunner;
  /** The arguments; undefined when the model wrote something that is not JSON, which is then in `badInput`. */
  readonly input: JsonValue | undefined;
  readonly badInput?: string;
  /** What came out, for tools that were run during the turn. */
  readonly output?: string;
  readonly isError?: boolean;
}

/** The agent asks before it acts. `onApproval` answers it; the event is for the record and the screen. */
export interface ApprovalRequest {
  readonly type: 'approval.request';
  readonly id: string;
  readonly tool: string;
  readonly input: JsonValue;
  /** The tool call that it is about, where the agent says so. */
  readonly callId?: string;
  /**
   * The tool and the input are words that the agent and its model wrote about what they want: no rule may take
   * them for the act. Left out: the agent's program runs exactly this tool with exactly this input.
   */
  readonly claimed?: true;
}

/** Tokens and money of this turn alone, also where the provider counts per session. Several in one turn add up. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens` that was read from the provider's cache. */
  readonly cachedInputTokens: number;
  /** Part of `inputTokens` that was written to it. */
  readonly cacheWriteTokens: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
  /** What the stable prefix promised before sending; beside `cachedInputTokens` it shows how good the promise was. */
  readonly predictedCachedTokens?: number;
  /** US dollars; left out when the model has no known price. */
  readonly costUsd?: number;
}

export type EndReason = 'done' | 'error' | 'aborted' | 'timeout' | 'refused';

export interface TurnEnd {
  readonly type: 'turn.end';
  readonly reason: EndReason;
  readonly error?: TurnError;
  /** How the model stopped, where it says so: `stop`, `length`, `context-window`, `tool-calls`, `content-filter`. */
  readonly stop?: string;
  /** The model that answered, as the provider names it in its answer: often a dated version of the one that was asked. */
  readonly model?: string;
}

/** Why a turn failed: a code of this package, and a sentence that leaks nothing. */
export interface TurnError {
  readonly code: string;
  readonly message: string;
  /** The HTTP status, where there was one. */
  readonly status?: number;
  /** Whether the same turn may work later, unchanged. */
  readonly retryable: boolean;
}

/** What one turn is given. */
export interface TurnInput {
  /** The full effective prompt. */
  readonly request: GatedRequest;
  /** What is really sent when a session goes on and the provider keeps the history; left out: the full prompt. */
  readonly delta?: GatedRequest;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<TurnLimits>;
  /** What the turn belongs to. The same for all turns of a conversation, also in another process. */
  readonly conversation?: ConversationKey;
  /** Which turn of the conversation this is: a turn that is asked again, also in another process, is the same one. */
  readonly turn?: string;
  /** What the conversation was told last, from its record: asked for where this process has told it nothing yet. */
  readonly told?: () => Promise<ToldTurn | undefined>;
  /** Which prompt this is, for telemetry; its hash is known anyway. */
  readonly prompt?: { readonly name?: string; readonly version?: string };
  /**
   * Awaited with the exact bytes before each send: the receipt is written here. If it throws, nothing is sent
   * and the turn ends with `error`.
   */
  readonly beforeSend?: (sent: Sent) => Promise<void>;
  /** Answers an agent that asks; left out: every request is denied. */
  readonly onApproval?: (request: ApprovalRequest) => Promise<ApprovalAnswer>;
  /** Runs one of `request.tools` for an agent that calls it in mid-turn. It does not throw. */
  readonly callTool?: (call: CallerTool) => Promise<ToolAnswer>;
}

/** An earlier turn of a conversation, as far as a vendor's cache goes. */
export interface ToldTurn {
  readonly prompt: Pick<GatedRequest['prompt'], 'blocks'>;
  readonly tools: readonly unknown[];
  readonly model?: string;
  /** When it was told, in milliseconds. */
  readonly at: number;
}

/** A run and who speaks in it: a vendor's cache is keyed by both, telemetry tells the run. */
export interface ConversationKey {
  readonly run: string;
  /** A node, a frame: one line of talk in the run. */
  readonly lane: string;
}

export interface CallerTool {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
}

export interface ToolAnswer {
  readonly output: string;
  readonly isError?: boolean;
}

export type ApprovalAnswer =
  | { readonly decision: 'allow' }
  /** `done`: an earlier try of the turn has done it, and it must not be done again. */
  | { readonly decision: 'deny'; readonly message?: string; readonly done?: true }
  | { readonly decision: 'change'; readonly input: JsonValue };

/** Bytes on their way out: one HTTP body, or what one write puts on a child's standard input or command line. */
export interface Sent {
  readonly channel: 'http' | 'stdin' | 'argv';
  readonly bytes: Uint8Array;
  /** `sha256:` and the hex digest of `bytes`. */
  readonly hash: string;
  /** 1 for the turn's first send, then counting, retries and answers in mid-turn included. */
  readonly ordinal: number;
}

export interface TurnLimits {
  /**
   * Without any event or byte for this long the turn ends with `timeout`. Time in which `onApproval` or
   * `callTool` is waited for does not count here; it does count in `totalMs`.
   */
  readonly idleMs: number;
  readonly totalMs: number;
  /** Bytes of provider output after which the turn ends with `error`. */
  readonly outputBytes: number;
  /** Further tries where nothing has come back yet and the failure may pass. */
  readonly retries: number;
}

/** What a provider can do. A test pins each row to the real thing. */
export interface ProviderCapabilities {
  readonly streams: boolean;
  readonly resumes: boolean;
  readonly interrupts: boolean;
  readonly approves: boolean;
  readonly changesInput: boolean;
  readonly planning: boolean;
  readonly nativeTools: boolean;
}

/** A voice: a model API, a CLI agent, or the rehearsal. */
export interface Provider {
  readonly name: string;
  readonly kind: 'api' | 'cli' | 'rehearsal';
  readonly capabilities: ProviderCapabilities;
  /** With `edit` it runs commands too, in a sandbox of its own: who may not run any must be asked for each. */
  readonly editRunsCommands?: boolean;
  /** How its sessions come to another machine; left out: they do not, or need not. */
  readonly sessionFiles?: SessionFiles;
  /** Starts no process and sends nothing: the first turn does. */
  open(options: SessionOptions): Session;
}

/** One conversation with a provider. Turns run one at a time. */
export interface Session {
  /** Never throws and never rejects; ends with `turn.end`. Leaving the loop early aborts the turn. */
  turn(input: TurnInput): AsyncIterable<TurnEvent>;
  /** Ends every process of the session, its children included. Safe to call twice. */
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly model?: string;
  /** What the session is called: a node's alias, a scenario. The rehearsal hears the lane of the first that has one. */
  readonly names?: readonly string[];
  /** A session of an earlier process to go on with. */
  readonly resume?: string;
  /** Cleans and checks whatever is said in mid-turn: tool results, answers, error texts. */
  readonly redactor: Redactor;
  /** Where a CLI agent works: a folder of this machine, never told to a model. */
  readonly cwd?: string;
  /** CUEBOOK_HOME, which no edit of the rehearsal reaches. */
  readonly home?: string;
  /** What a CLI agent may do by itself. */
  readonly access?: Access;
  /** Ask through `onApproval` before acting, where the agent can; otherwise what `access` leaves out is denied. */
  readonly ask?: boolean;
}

/** `plan`: read only, by the agent's own flags. `edit`: change files of its folder. `full`: run commands too. */
export type Access = 'plan' | 'edit' | 'full';
