import type { EnginePoint } from '@cuebook/engine';
import type { StoreFaultPoint } from '@cuebook/journal';
import type { WorkspacePoint } from '@cuebook/workspace';
import type { HostPoint } from '../../src/host/contract.js';

/** What a child process is told: where everything stands, and where it is to kill itself. */
export interface ChildTask {
  readonly root: string;
  readonly leaseMs: number;
  readonly kill?: KillPoint;
  /** The node may only read. */
  readonly reads?: boolean;
  /** The node works in the project's own folder. */
  readonly shared?: boolean;
  /** The machine of the process, where workspaces are shared: its folders lie below a home of that name. */
  readonly machine?: string;
}

/** A named moment, and at which time that the process comes there it dies. */
export type KillPoint = Moment & { readonly hit: number };

export type Moment =
  | { readonly part: 'store'; readonly point: StoreFaultPoint; readonly when: 'before' | 'after' }
  | { readonly part: 'engine'; readonly point: EnginePoint }
  | { readonly part: 'host'; readonly point: HostPoint }
  | { readonly part: 'workspace'; readonly point: WorkspacePoint };

export const describeMoment = (moment: Moment): string =>
  moment.part === 'store' ? `store ${moment.when} ${moment.point}` : `${moment.part} ${moment.point}`;

const inEngine = (point: EnginePoint): Moment => ({ part: 'engine', point });
const inHost = (point: HostPoint): Moment => ({ part: 'host', point });
const inWorkspace = (point: WorkspacePoint): Moment => ({ part: 'workspace', point });

/** Every moment that a run of this scenario comes by, those that come early first. */
export const MOMENTS: readonly Moment[] = [
  inHost('run.noted'),
  ...(
    ['prepare.snapshot', 'prepare.folder', 'prepare.filled', 'prepare.setup', 'prepare.before'] as const
  ).map(inWorkspace),
  inHost('turn.composed'),
  inEngine('intended'),
  inEngine('begun'),
  ...(['blob', 'append', 'project', 'receipt', 'commit'] as const).flatMap((point): readonly Moment[] => [
    { part: 'store', point, when: 'before' },
    { part: 'store', point, when: 'after' },
  ]),
  inHost('turn.taken'),
  inEngine('performed'),
  inEngine('settled'),
  ...(['take.after', 'take.kept', 'aside.kept', 'aside.restored'] as const).map(inWorkspace),
  inHost('artifact.kept'),
];
