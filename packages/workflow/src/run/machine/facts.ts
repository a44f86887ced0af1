import type { KeptSources } from '@cuebook/host';
import type { JsonValue } from '@cuebook/prompt';
import type { Intent } from '../../compose/directive.js';

/** What is fixed about a run when it begins. It is the first thing in the log. */
export type RunFacts = {
  /** Name and version of the package. */
  readonly package: string;
  readonly version: string;
  readonly workflow: string;
  /** `run`: the workflow is carried out and has a state. `agent`, `chat`: a conversation without one. */
  readonly mode: 'run' | 'agent' | 'chat';
  readonly activeAgentId: string;
  readonly autopilot: boolean;
  /** Turns that may follow from one word of a person. */
  readonly maxTurns: number;
  /** The steps and the ways between them as they were when it began; left out in a conversation. */
  readonly graph?: GraphShape;
  /** The package as it was. */
  readonly sources?: KeptSources;
  /** How it was called, so that another process can go on by itself; left out where it could not. */
  readonly call?: RunCall;
};

/** What a run notes of another version of its package. */
export type UpdatedFacts = Pick<RunFacts, 'version' | 'graph'>;

/** The same with the agents of that version, for those who are in use. */
export type UpdateAsked = UpdatedFacts & { readonly agents: readonly string[] };

/** A graph by its ids alone: no free words of the package are in it. */
export type GraphShape = {
  readonly nodes: readonly { readonly id: string; readonly type: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
};

/** The words of the call that began a run. Names are those of the project: no path of a machine is among them. */
export type RunCall = {
  /** `workflow:DIR` or `workflow:DIR#ID`, from the project's folder. */
  readonly target: string;
  readonly provider?: string;
  readonly model?: string;
  /** The script of a rehearsal, from the project's folder. */
  readonly script?: string;
};

/** What a turn was composed from: in the log before the turn is sent, and what its calls are held to. */
export type ComposedFacts = {
  /** The effect of the turn. */
  readonly effect: string;
  /** Who speaks: the policy of this agent holds for every call of the turn. */
  readonly agentId: string;
  /** The active node; null in a conversation and once the workflow is complete. */
  readonly nodeId: string | null;
  readonly intent: Intent;
  readonly isComplete: boolean;
  /** The one turn after the completing change: it has no tools, and with it the work is done. */
  readonly isClosing: boolean;
  /** Of the state file; null where there is none. */
  readonly stateSha256: string | null;
  /** What the state file holds, with what is private masked, where it is not as in the turn before: for who looks at the run. */
  readonly state?: JsonValue;
  /** The provider that is spoken to: another one knows nothing of its session. */
  readonly voice: string;
  /** How the names of tools were told; left out: as they are. */
  readonly spelling?: 'own' | 'wire';
  /** Messages of the history that the turn was told. */
  readonly messages: number;
};

/** In turns: the workflow's own bound, beside the budget of the run. */
export const DEFAULT_MAX_TURNS = 20;
