import { relative } from 'node:path';
import {
  type Fault,
  type FileResult,
  type Files,
  type MountSpec,
  openFolder,
  openMounts,
  type TextSource,
  type WithholdRules,
} from '@cuebook/files';
import { overlayPackage } from './package-source.js';
import type { ToolFiles } from './tool-files.js';

/** Where the three roots of a conversation lie. Real paths; nothing made from them tells one. */
export interface WorkflowPlaces {
  readonly project: string;
  /** A folder, or the texts of an archive. */
  readonly pkg: string | TextSource;
  /** What `@pkg` is in place of what lies there now. */
  readonly texts?: TextSource;
  /** The folder of this run's state; a conversation without a run has none. */
  readonly state?: string;
  /** CUEBOOK_HOME. No tool reaches it. */
  readonly home?: string;
  /** For tests: called at the named moments of each file operation. */
  readonly fault?: Fault;
}

export interface WorkflowMounts {
  /** `@project`, `@pkg` and `@state` with what no tool may change taken out: the state file and the logs. */
  readonly tools: ToolFiles;
  /** The folder of the state, whole. It is for the state file, the audit and kept results, never for a tool. */
  readonly keeper?: Files;
}

/** Opens the mounts of a conversation. */
export async function openWorkflowMounts(places: WorkflowPlaces): Promise<FileResult<WorkflowMounts>> {
  const { project, pkg, state } = places;
  const options = places.fault === undefined ? {} : { fault: places.fault };
  const { home } = places;
  const withhold: WithholdRules = { from: 'agent', ...(home === undefined ? {} : { home }) };
  const specs: MountSpec[] = [
    {
      alias: '@project',
      root: project,
      access: 'rw',
      protect: [
        ...PROTECTED,
        ...inside(project, state),
        ...(typeof pkg === 'string' ? inside(project, pkg) : []),
      ],
      withhold,
    },
  ];
  const source = places.texts ?? (typeof pkg === 'string' ? undefined : pkg);
  if (source === undefined && typeof pkg === 'string')
    specs.push({ alias: '@pkg', root: pkg, access: 'ro', withhold });
  if (state !== undefined) {
    specs.push({
      alias: '@state',
      root: state,
      access: 'rw',
      protect: ['workflow.md', 'logs'],
      withhold,
      create: true,
    });
  }
  const files = await openMounts(specs, options);
  if (!files.ok) return files;
  const tools = source === undefined ? files.value : overlayPackage(files.value, source);
  if (state === undefined) return { ok: true, value: { tools } };
  const keeper = await openFolder(state, options);
  return keeper.ok ? { ok: true, value: { tools, keeper: keeper.value } } : keeper;
}

/**
 * A repository's own folder can hold programs that run; ours holds the record; and the project's settings say what
 * its agents may do.
 */
const PROTECTED = ['.git', '.cuebook', 'cuebook.yaml'];

/** The state and the package may lie inside the project: there they must not be changed from the side. */
function inside(project: string, folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  const path = relative(project, folder);
  return path === '' || /^\.\.(?:[\\/]|$)/.test(path) || /^([A-Za-z]:|[\\/])/.test(path) ? [] : [path];
}
