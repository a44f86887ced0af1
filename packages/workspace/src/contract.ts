import type { Files } from '@cuebook/files';
import type { JsonValue, Result } from '@cuebook/prompt';
import type { PathFacts } from './path.js';

/**
 * The folders in which the nodes of a project's runs work. Every operation may be repeated after a crash and gives
 * the same again; killed between any two steps it loses nothing. Nothing throws for an expected failure, and no
 * error or result spells a real path.
 */
export interface Workspaces {
  /** CUEBOOK_HOME: no path that an agent names leads there. */
  readonly home: string;
  /** The folder of a node, as the system spells it; `prepare` makes it. */
  folderOf(run: string, node: WorkspaceNode): string;
  /**
   * Where machines share workspaces: keeps the project as it is for a run that begins, so that its nodes have these
   * files on every machine. Answers the content hash of it; undefined: machines share nothing.
   */
  begin(run: string): Promise<Result<string | undefined, WorkspaceError>>;
  /**
   * Where machines share workspaces: makes the folder of a node as the machine left it that worked in it last, unless
   * that is this one. To be called by whoever holds the run, before anything is done in the folder.
   */
  bring(
    at: HeldPlace,
    options?: { readonly setup?: string | undefined } & Abortable,
  ): Promise<Result<undefined, WorkspaceError>>;
  /**
   * Where machines share workspaces: keeps how the folder stands, so that another machine can go on with it. To be
   * called before others are told of what was done in it. `E_WORKSPACE_MOVED`: another machine has the run.
   */
  keep(at: HeldPlace): Promise<Result<undefined, WorkspaceError>>;
  /** Whether what a turn did in the folder of its node may be lost, because only a machine that is gone had it. */
  mayLack(at: TurnPlace): Promise<boolean>;
  /**
   * To be called at the start of every turn: makes the folder ready, runs the set-up command in a fresh one, and
   * remembers how everything stands before the turn. For the same turn again it changes nothing.
   */
  prepare(
    at: TurnPlace,
    options?: { readonly setup?: string | undefined } & Abortable,
  ): Promise<Result<Prepared, WorkspaceError>>;
  /** What the disk says of paths that a call of the node names, relative or absolute, links followed. */
  pathFacts(run: string, node: WorkspaceNode, paths: readonly string[]): Promise<readonly PathFacts[]>;
  /** What the turn changed: the effect `diff.take`. */
  take(at: TurnPlace, options?: Abortable): Promise<Result<DiffOutcome, WorkspaceError>>;
  /** Moves changes out of the folder and keeps them: the effect `diff.set-aside`. */
  setAside(
    at: TurnPlace,
    files: readonly string[],
    options?: Abortable,
  ): Promise<Result<SetAside, WorkspaceError>>;
  /** Whether `setAside` was done: what `observe` of its driver asks. Undefined: it was not, doing it is safe. */
  findAside(at: TurnPlace): Promise<Result<SetAside | undefined, WorkspaceError>>;
  /** Runs the check commands one after another, up to the first that fails: the effect `verify.run`. */
  verify(
    at: TurnPlace,
    commands: readonly string[],
    options?: Abortable,
  ): Promise<Result<VerifyOutcome, WorkspaceError>>;
  /** One of the five work tools, for agents that have none: the effect `tool.call`. The text is for the agent. */
  callTool(at: NodePlace, call: WorkCall, options?: Abortable): Promise<Result<string, WorkspaceError>>;
  /** The workspaces of a run, with what they hold and take. */
  views(run: string): Promise<Result<readonly WorkspaceState[], WorkspaceError>>;
  /** What the contents that all workspaces share take on the disk, in bytes. */
  contents(): Promise<Result<number, WorkspaceError>>;
  /** The runs that have workspaces here. */
  runs(): Promise<Result<readonly string[], WorkspaceError>>;
  /**
   * Brings the work of a run, or of one of its nodes, into the project's folder: all of it, or nothing and the
   * names of the files that stand against it. What a person changed there meanwhile stays.
   */
  apply(what: WorkName, options?: ApplyOptions): Promise<Result<Applied, WorkspaceError>>;
  /** Sends the commits of the person's branch to a branch of the project's remote. Nothing there is written over. */
  push(branch: string, options?: Abortable): Promise<Result<Pushed, WorkspaceError>>;
  /**
   * Removes workspaces whose work is in the project; others only when `discard` names them. With them goes what no
   * other workspace needs of the contents that they share.
   */
  clean(what: WorkName, options?: CleanOptions): Promise<Result<Cleaned, WorkspaceError>>;
}

/** What must be known of a node to find its folder. */
export interface WorkspaceNode {
  /** Of the node that has the folder; turns of others who work in it are turns of this one here. */
  readonly id: string;
  readonly workspace: 'own' | 'shared';
}

export interface NodePlace {
  readonly run: string;
  readonly node: WorkspaceNode;
}

/** A node whose run this process holds. */
export interface HeldPlace extends NodePlace {
  /** Of the lease on the run: a later holder has a greater one. */
  readonly token: number;
}

/** A turn of a node; `turn` is its number in the run. */
export interface TurnPlace {
  readonly run: string;
  readonly node: WorkspaceNode;
  readonly turn: number;
}

interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

export interface Prepared {
  readonly folder: string;
  readonly kind: 'own' | 'shared';
  /** The folder was made by this call. */
  readonly fresh: boolean;
}

/** What a turn changed. */
export type DiffOutcome = {
  /** Of the patch; `null` when nothing changed. */
  readonly hash: string | null;
  /** Changed, new, deleted and renamed files, relative to the workspace. */
  readonly files: readonly string[];
  readonly artifact?: string;
  readonly lines?: Lines;
};

/** Lines that a patch adds and removes. */
export type Lines = { readonly added: number; readonly removed: number };

/** The failure of the first check that failed, or `null`. */
export type VerifyOutcome = { readonly failure: string | null };

/** What was moved out, the artifact that holds it, and what stays of the changes of the turn. */
export type SetAside = {
  readonly files: readonly string[];
  readonly artifact: string;
  readonly rest?:
    | { readonly files: readonly string[]; readonly artifact: string; readonly lines: Lines }
    | undefined;
};

export interface WorkCall {
  readonly tool: string;
  /** The arguments, checked before. */
  readonly input: JsonValue;
  readonly rights: WorkRights;
}

/** What the agent that makes a call may do in its folder. An answer is the reason against it, for the agent to read. */
export interface WorkRights {
  /** Undefined: the file may be written and deleted. */
  againstWrite(path: PathFacts): string | undefined;
  /** Undefined: commands may be run. */
  againstCommand(): string | undefined;
}

export interface WorkName {
  readonly run: string;
  /** The id of a node. Left out: all of the run that have a folder of their own, in the order of their making. */
  readonly node?: string | undefined;
}

export interface ApplyOptions extends Abortable {
  /** Says what would happen and changes nothing. */
  readonly dryRun?: boolean;
  /** Only these files, by their paths; the others stay work that is not in the project. Left out: all. */
  readonly files?: readonly string[] | undefined;
  /** The message of a commit of exactly these changes, on the person's branch. Left out: nothing is committed. */
  readonly commit?: string | undefined;
}

export interface Applied {
  /** With `dryRun` what would be done. */
  readonly files: readonly AppliedFile[];
  /** Files that stand against it. When there is one, nothing was changed. */
  readonly conflicts: readonly ApplyConflict[];
  readonly committed: string | null;
}

/** What was sent where. */
export interface Pushed {
  readonly remote: string;
  readonly branch: string;
  readonly commit: string;
}

export interface AppliedFile {
  readonly path: string;
  /** `merged`: the person and the node changed different places of it. */
  readonly change: 'new' | 'edited' | 'deleted' | 'merged';
  readonly node: string;
}

export interface ApplyConflict {
  readonly path: string;
  readonly node: string;
  /** Both changed the same place, one deleted what the other changed, or something that git ignores is in the way. */
  readonly why: 'both-changed' | 'deleted' | 'in-the-way';
}

export interface CleanOptions extends Abortable {
  /** Also work that is not in the project. It cannot be had back. */
  readonly discard?: boolean;
}

export interface Cleaned {
  readonly removed: readonly string[];
  /** Not removed: their work is not in the project. */
  readonly kept: readonly string[];
  readonly bytes: number;
  /** What the contents that all workspaces share take now, in bytes. */
  readonly contents: number;
  /** Why contents that nobody needs are still there; they go when somebody cleans again. */
  readonly left?: WorkspaceError;
}

/** What cannot be done. The message leaks nothing; a person and an agent may read it. */
export interface WorkspaceError {
  readonly code: WorkspaceCode;
  readonly message: string;
}

/** `WORKSPACE_CODES` says of each what it means and what to do. */
export type WorkspaceCode =
  | 'E_WORKSPACE_GIT'
  | 'E_WORKSPACE_READ'
  | 'E_WORKSPACE_LARGE'
  | 'E_WORKSPACE_UNKNOWN'
  | 'E_WORKSPACE_SETUP'
  | 'E_WORKSPACE_BUSY'
  | 'E_WORKSPACE_TOOL'
  | 'E_WORKSPACE_COMMIT'
  | 'E_WORKSPACE_PUSH'
  | 'E_WORKSPACE_REMOTE'
  | 'E_WORKSPACE_MOVED'
  | 'E_WORKSPACE_VERSION'
  | 'E_WORKSPACE_ABORTED';

/** What workspaces are made with. */
export interface WorkspaceOptions {
  /** The project's folder. */
  readonly project: string;
  /** CUEBOOK_HOME: workspaces are below it. */
  readonly home: string;
  /** The whole environment of commands; git gets its own out of it. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes secrets and real paths out of what commands print. */
  redact(text: string): string;
  /** Keeps an artifact of a run; the answer is its hash. The same text gives the same hash. */
  keep(run: string, text: string): Promise<string>;
  readonly limits?: Partial<WorkspaceLimits>;
  /** Where several machines work on the project: how one goes on with the workspaces of another. */
  readonly remote?: RemoteOptions | undefined;
  /** For tests: called at the named moments. */
  readonly fault?: (point: WorkspacePoint) => void | Promise<void>;
}

/** How workspaces come from one machine to another. */
export interface RemoteOptions {
  /** The git repository that all machines reach: a folder, or an address. */
  readonly address: string;
  /** CUEBOOK_HOME as all machines share it: it says which commit of a node is the newest. */
  readonly shared: Files;
  /** This machine among those of the project. */
  readonly machine: () => Promise<string>;
  /** The id of the project: several may have one repository. */
  readonly project: string;
}

export interface WorkspaceLimits {
  /** Of one command of an agent. */
  readonly commandMs: number;
  /** Of one check command, and of the set-up command. */
  readonly verifyMs: number;
  /** Of what a command printed, as it is told. */
  readonly outputBytes: number;
  /** A longer patch is kept as the list of its files. */
  readonly patchBytes: number;
  /** Files of a workspace. */
  readonly files: number;
}

/** Moments between the steps of an operation. */
export type WorkspacePoint =
  | 'prepare.snapshot'
  | 'prepare.folder'
  | 'prepare.filled'
  | 'prepare.setup'
  | 'prepare.before'
  | 'take.after'
  | 'take.kept'
  | 'aside.kept'
  | 'aside.restored'
  | 'apply.merged'
  | 'apply.written'
  | 'clean.folder'
  | 'keep.sent'
  | 'keep.marked'
  | 'bring.fetched'
  | 'bring.noted'
  | 'tidy.known'
  | 'tidy.pruned';

export interface WorkspaceState {
  readonly node: string;
  /** `own`: a worktree or copy of its own. `shared`: the project's folder. */
  readonly kind: 'own' | 'shared';
  readonly bytes: number;
  /** Files that differ from what the run began with and are not in the person's branch. */
  readonly unapplied: number;
}
