import type { Engine, TurnRecorder } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import type { RunId, Store } from '@cuebook/journal';
import type { Redactor } from '@cuebook/prompt';
import type { Script, TurnEvent, TurnLimits } from '@cuebook/provider';
import type { ServersConfig } from '@cuebook/provider/servers';
import type { Workspaces } from '@cuebook/workspace';
import type { HostPoint } from '../host/contract.js';
import type { TeamCommand } from '../run/command.js';
import type { TeamConfig } from '../run/config.js';
import type { TeamState } from '../run/state.js';
import type { Artifacts } from './artifacts.js';
import type { HeldParts } from './held-folder.js';
import type { ScriptLanes } from './lanes.js';
import type { RunServers } from './run-servers.js';
import type { Sessions } from './sessions.js';
import type { Voices } from './voices.js';

/** What turns of nodes are taken with. */
export interface NodeTurnParts extends HeldParts {
  readonly engine: () => Pick<Engine<TeamState, TeamCommand>, 'submit' | 'read' | 'open'>;
  readonly store: Store;
  readonly recorder: TurnRecorder;
  readonly voices: Voices;
  readonly sessions: Sessions;
  readonly servers: Pick<RunServers, 'look'>;
  readonly workspaces: Workspaces;
  /** This machine among those of the project; left out: there is no other. */
  readonly machine?: (() => Promise<string>) | undefined;
  /** CUEBOOK_HOME as all machines share it; left out: there is no other. */
  readonly shared?: Files | undefined;
  readonly artifacts: Pick<Artifacts, 'find'>;
  readonly config: TeamConfig;
  readonly redactor: Redactor;
  readonly hash: (text: string) => string;
  readonly limits: Partial<TurnLimits>;
  /** What is kept of a run beside its log. */
  readonly notes: (run: RunId) => Promise<RunParts>;
  readonly publish: (
    place: { readonly run: RunId; readonly node: string; readonly effect: string },
    event: TurnEvent,
  ) => void;
  readonly fault: (point: HostPoint) => void | Promise<void>;
  readonly isStopping: () => boolean;
  /** The turn is over: templates are looked at before the next one is decided on. */
  readonly after: (run: RunId) => Promise<void>;
}

export interface RunParts {
  /** The command that makes a fresh workspace ready. */
  readonly setup?: string | undefined;
  /** The MCP servers that its nodes may use. */
  readonly servers?: ServersConfig | undefined;
  readonly script?: RunScript | undefined;
}

/** The script of a run, and where each lane of it stands. */
export interface RunScript {
  readonly script: Script;
  readonly lanes: ScriptLanes;
  /** Hears the turns that have got their outcome since, also from other processes. */
  catchUp(): Promise<void>;
}
