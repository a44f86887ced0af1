import type { EngineFault, TurnRecorder } from '@cuebook/engine';
import type { Fault, TextSource } from '@cuebook/files';
import type { RunId, Store } from '@cuebook/journal';
import type { Hash, Redactor } from '@cuebook/prompt';
import type { Session, TurnEvent } from '@cuebook/provider';
import type { Servers } from '@cuebook/provider/servers';
import type { DataContext } from '../compose/data-context.js';
import type { KeptPackage } from '../package/kept-package.js';
import type { Workflow, WorkflowPackage } from '../package/package.js';
import type { ToolSettings } from '../policy/policy.js';
import type { ProgramRunner } from '../tool/context.js';
import type { RunFacts } from './machine/facts.js';

/** Who speaks in a run. */
export interface RunVoice {
  readonly provider: string;
  readonly kind: 'api' | 'cli' | 'rehearsal';
  readonly model?: string;
  /** Whether what it costs is known. */
  readonly priced: boolean;
  /** Opens a session; `resume` is that of an earlier process. */
  readonly open: (resume: string | undefined) => Session;
  /** Other models that a turn is asked of when one fails, in order. An agent that acts by itself has none. */
  readonly fallbacks?: readonly Pick<RunVoice, 'model' | 'priced' | 'open'>[];
}

/** All models that a turn may be asked of, its own first. */
export const modelsOf = (voice: RunVoice): readonly Pick<RunVoice, 'model' | 'priced' | 'open'>[] => [
  voice,
  ...(voice.kind === 'cli' ? [] : (voice.fallbacks ?? [])),
];

/** What a run is put together from. */
export interface WorkflowRunInput {
  readonly run: RunId;
  readonly store: Store;
  readonly recorder: TurnRecorder;
  readonly package: WorkflowPackage;
  readonly workflow: Workflow;
  readonly facts: Pick<RunFacts, 'mode' | 'activeAgentId'> &
    Partial<Pick<RunFacts, 'autopilot' | 'maxTurns' | 'call' | 'sources'>>;
  readonly places: {
    readonly project: string;
    readonly pkg: string | TextSource;
    /** The folder of this run: its state and its logs. Made when it is missing. */
    readonly folder: string;
    /** CUEBOOK_HOME. No tool reaches it. */
    readonly home?: string;
  };
  /** The package as the run began with it: kept with the run, and what `@pkg` is. Left out: as it lies there. */
  readonly kept?: KeptPackage;
  /** The entry of the vault that it is from; left out: the run begins with it. */
  readonly entry?: string | undefined;
  /** What the operator allowed when the run began: this is told. */
  readonly settings?: ToolSettings;
  /** What the operator allows now: calls are held to both. */
  readonly allowed?: ToolSettings;
  readonly servers?: Servers;
  /** Runs programs for agents whose policy says so; left out: those of this machine. */
  readonly programs?: ProgramRunner;
  /** A file that the conversation is about. A later process of the same run need not hand it in again. */
  readonly data?: DataContext;
  /** Tokens that a request may have; left out: 120,000. */
  readonly contextTokens?: number;
  readonly voice: RunVoice;
  readonly redactor: Redactor;
  readonly hash: Hash;
  readonly publish?: (event: TurnEvent) => void;
  /** Told of each turn that is composed, by its effect, before it is sent. */
  readonly onTurn?: (effect: string) => void;
  /** A process that has not been heard of for so long has lost the run. */
  readonly leaseMs?: number;
  /** For tests. */
  readonly fault?: { readonly engine?: EngineFault; readonly files?: Fault };
}
