import type { ApprovalEvent, BudgetEvent, CallEvent, EngineEvent, PlannedCall, Trace } from '@cuebook/engine';
import type { KeptSources, RunUpdated } from '@cuebook/host';
import type { GlobalMode } from '../capability/global-mode.js';
import type { ServedTool } from '../capability/served.js';
import type { TeamEdge } from '../graph/edge.js';
import type { Envelope, WorkReport } from '../graph/envelope.js';
import type { TeamNode } from '../graph/node.js';
import type { PersonMessage } from '../prompt/incoming.js';
import type { PromptKind } from '../prompt/kind.js';
import type { TurnResult } from '../prompt/result.js';
import type { RunMode, TurnCause } from '../prompt/task.js';
import type { RoleTemplate } from '../role/template.js';
import type { RunLimits } from './limits.js';
import type { Fallback, NodeHold, NodeWorkState, Owed, RunPause, RunResult, RunSettings } from './state.js';

/** What happens in a team run. Everything is in here: the state is nothing but these, folded. */
export type TeamEvent =
  | {
      readonly type: 'run.started';
      readonly data: RunSettings & { readonly by: string; readonly sources?: KeptSources };
    }
  | { readonly type: 'run.paused'; readonly data: RunPause }
  | { readonly type: 'run.resumed'; readonly data: { readonly by: string } }
  /** Somebody said that the run is done. It ends when nothing is owed any more. */
  | {
      readonly type: 'run.finishing';
      readonly data: { readonly summary: string; readonly by: string; readonly waits: readonly Owed[] };
    }
  /** It is not done after all, and why. */
  | { readonly type: 'run.unfinished'; readonly data: { readonly by: string; readonly why: string } }
  | { readonly type: 'run.finished'; readonly data: RunResult }
  | { readonly type: 'run.stopped'; readonly data: { readonly by: string } }
  | {
      readonly type: 'run.moded';
      readonly data: { readonly before: Modes; readonly after: Modes; readonly by: string };
    }
  | {
      readonly type: 'run.limited';
      readonly data: { readonly before: RunLimits; readonly after: RunLimits; readonly by: string };
    }
  | { readonly type: 'node.added'; readonly data: { readonly node: TeamNode; readonly by: string } }
  | {
      readonly type: 'node.woken';
      readonly data: { readonly node: string; readonly cause: 'start' | 'resume' };
    }
  | { readonly type: 'node.told'; readonly data: { readonly node: string; readonly message: PersonMessage } }
  | { readonly type: 'node.reset'; readonly data: { readonly node: string; readonly by: string } }
  | { readonly type: 'node.held'; readonly data: { readonly node: string; readonly hold: NodeHold } }
  | { readonly type: 'node.resumed'; readonly data: { readonly node: string; readonly by: string } }
  | {
      readonly type: 'node.configured';
      readonly data: { readonly before: TeamNode; readonly after: TeamNode; readonly by: string };
    }
  | { readonly type: 'edge.added'; readonly data: { readonly edge: TeamEdge; readonly by: string } }
  | { readonly type: 'edge.removed'; readonly data: { readonly edge: string; readonly by: string } }
  | RunUpdated<Pick<RunSettings, 'goal' | 'done' | 'verify'>>
  | { readonly type: 'envelope.sent'; readonly data: Envelope }
  /** It is with its receiver now; `work`: what its sender made, as far as the receiver has not heard of it. */
  | {
      readonly type: 'envelope.delivered';
      readonly data: {
        readonly envelope: string;
        readonly from: string;
        readonly to: string;
        readonly work?: WorkReport;
      };
    }
  | { readonly type: 'role.adopted'; readonly data: { readonly role: RoleTemplate; readonly by: string } }
  | {
      readonly type: 'role.proposed';
      readonly data: { readonly role: RoleTemplate; readonly approval: string; readonly by: string };
    }
  /** The tools of the MCP servers of the run are these now; `problems`: which of them cannot be used, and why. */
  | {
      readonly type: 'servers.listed';
      readonly data: { readonly tools: readonly ServedTool[]; readonly problems: readonly string[] };
    }
  | { readonly type: 'turn.started'; readonly data: TurnStarted }
  /** Somebody wants the turn to end: its driver hears this and aborts it. */
  | {
      readonly type: 'turn.interrupting';
      readonly data: { readonly node: string; readonly effect: string } & NonNullable<
        NodeWorkState['interrupted']
      >;
    }
  | {
      readonly type: 'turn.judged';
      readonly data: { readonly node: string; readonly turn: number; readonly calls: readonly PlannedCall[] };
    }
  /** A machine goes on with a session that another one had: with its files, or the conversation is told anew. */
  | {
      readonly type: 'session.moved';
      readonly data: {
        readonly node: string;
        readonly effect: string;
        readonly from: string;
        readonly to: string;
        readonly carried: boolean;
      };
    }
  | { readonly type: 'native.called'; readonly data: { readonly node: string; readonly call: PlannedCall } }
  | {
      readonly type: 'changes.flagged';
      readonly data: { readonly node: string; readonly files: readonly string[]; readonly rule: string };
    }
  | { readonly type: 'turn.observed'; readonly data: { readonly node: string; readonly trace: Trace } }
  | { readonly type: 'turn.closed'; readonly data: TurnClosed }
  | ApprovalEvent
  | BudgetEvent
  | CallEvent;

/** Everything that the log of a run holds. */
export type AnyTeamEvent = TeamEvent | EngineEvent;

/** The two modes of a run. */
export type Modes = { readonly mode: RunMode; readonly globalMode: GlobalMode };

/** A turn with what it was decided on. */
export type TurnStarted = {
  readonly node: string;
  readonly turn: number;
  readonly effect: string;
  readonly kind: PromptKind;
  readonly cause: TurnCause;
  readonly head: string;
  readonly fallback?: Fallback;
};

/** How a turn ended, with all that hung on it. */
export type TurnClosed = {
  readonly node: string;
  readonly turn: number;
  /**
   * `unheard`: a reset or the end of the run came first. `left`: the end of its host cut it off while a person was
   * asked, and the session goes on with the answers.
   */
  readonly reason: 'done' | 'interrupted' | 'failed' | 'unheard' | 'left';
  /** What the node is told at its next turn. */
  readonly results: readonly TurnResult[];
  /** The same turn is asked of this model, after one that failed. */
  readonly model?: number;
};
