import { join, resolve } from 'node:path';
import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { type Loaded, parseTarget } from '@cuebook/profile';
import { hint } from '@cuebook/prompt/hint';
import {
  type BegunRun,
  createWorkflowProfile,
  type KeptPackage,
  keptSource,
  takePackage,
  type Workflow,
  type WorkflowPackage,
  type WorkflowSettings,
  type WorkflowSource,
} from '@cuebook/workflow';
import type { Call } from '../../command.js';
import { diagnosed, Failure, usage } from '../../failure.js';
import { type Bench, openBenchAt } from '../../project/bench.js';
import { openAcceptances } from '../../project/packages.js';
import { workflowFolder } from '../../project/workflow-folder.js';
import { requireWorkflowSettings, workflowBench } from '../../project/workflows.js';
import { insideName } from '../inside-name.js';

/** The workflow that a call runs, and where it works. */
export interface RunTarget {
  readonly bench: Bench;
  readonly package: WorkflowPackage;
  readonly workflow: Workflow;
  /** The texts of the files that menus hand in, by alias path. */
  readonly menuData: ReadonlyMap<string, string>;
  /** The folder of the package in the project, or the texts of one from elsewhere. */
  readonly pkg: string | TextSource;
  /** What the project says of its runs now. */
  readonly settings: WorkflowSettings;
  /** The package as the run has it: of now, or of its beginning. */
  readonly kept: KeptPackage;
  /** The entry of the vault that it is from; left out: the run begins with it. */
  readonly entry?: string;
  /** How another process names it from the project's folder; undefined for a package from elsewhere. */
  readonly name: string | undefined;
}

/** Opens the workflow that a call names, as it is now. */
export async function openRunTarget(call: Call): Promise<RunTarget> {
  const { io, flags } = call;
  const { text, named, id } = namedTarget(call);
  const folder = await workflowFolder(flags, io);
  const outer = await openBenchAt(folder, io);
  const from = (await outer.files.stat(named)).ok ? folder : io.cwd;
  const place = insideName(folder, resolve(from, named));
  const name =
    place === undefined ? undefined : `workflow:${[place, ...(id === undefined ? [] : [id])].join('#')}`;
  // However it is spelled: a package of the project is read where the project has it.
  const { bench, text: inner, accepted } = await workflowBench(outer, name ?? text, io);
  const target = parseTarget(inner);
  const [inside = '.'] = (target?.name ?? '').split('#');
  const settings = await requireWorkflowSettings(outer.files);
  const about = { tools: settings.tools, ...(accepted === undefined ? {} : { accepted }) };
  const kept = await takePackage(bench.project, inside, about);
  if (!kept.ok) throw new Failure(kept.error.code, kept.error.message, { exit: 1 });
  const isInProject = bench.project === outer.project;
  return {
    ...(await loadKept(bench, kept.value, { name: target?.name ?? '', shown: named })),
    pkg: isInProject ? join(folder, inside) : bench.project,
    settings,
    name,
  };
}

/** Opens the workflow of a run that has begun: its package is that of its beginning, wherever that lies now. */
export async function openBegunTarget(
  call: Call,
  { facts, kept, entry }: Required<BegunRun>,
): Promise<RunTarget> {
  const { io, flags } = call;
  const { named, id } = namedTarget(call);
  const folder = await workflowFolder(flags, io);
  const outer = await openBenchAt(folder, io);
  const called = facts.call?.target;
  const places = [folder, io.cwd].map((from) => insideName(folder, resolve(from, named)));
  if (called !== undefined && !places.includes(called.replace(/^workflow:/, '').split('#')[0]))
    throw usage(`The run is one of ${called}, not of workflow:${named}`);
  const acceptances = await openAcceptances(folder, io);
  const isAccepted = kept.accepted === undefined || (await acceptances?.find(kept.accepted)) !== undefined;
  const profile = createWorkflowProfile({
    redactor: outer.redactor,
    settings: kept.tools,
    trustOf: () => ({ trust: isAccepted ? 'author' : 'external' }),
  });
  const bench = { ...outer, profiles: [profile] };
  return {
    ...(await loadKept(bench, kept, {
      name: [kept.folder, ...(id === undefined ? [] : [id])].join('#'),
      shown: named,
    })),
    pkg: join(folder, kept.folder),
    entry,
    settings: await requireWorkflowSettings(outer.files),
    name: called,
  };
}

function namedTarget({ args: [text = ''] }: Call) {
  const target = parseTarget(text);
  if (target === undefined) throw usage(`${text} is not a workflow: write workflow:DIR or workflow:DIR#ID`);
  if (target.revision !== undefined) throw usage('A workflow runs as it is now: leave the revision out');
  const [named = '', id] = target.name.split('#');
  return { text, named, id };
}

interface Named {
  readonly name: string;
  /** As the call names it. */
  readonly shown: string;
}

async function loadKept(bench: Bench, kept: KeptPackage, { name, shown }: Named) {
  const profile = bench.profiles.find(({ prefix }) => prefix === 'workflow') ?? createWorkflowProfile();
  const loaded = (await profile.load(keptSource(kept, bench.project), name)) as Loaded<WorkflowSource>;
  if (!loaded.ok) throw diagnosed(loaded.diagnostics);
  requireAccepted(loaded.value.package, shown);
  return { bench, ...loaded.value, kept };
}

/** A run follows what its package says, so a person has to have accepted it. */
function requireAccepted({ name, version, trust }: WorkflowPackage, named: string): void {
  if (!guard('run.unaccepted', trust === 'external')) return;
  throw new Failure(
    'E_PACKAGE_UNACCEPTED',
    `The package ${name} ${version} comes from outside the project, and nobody has accepted its bytes as they are now. Read it with ${hint`package show ${named}`}, and accept it with ${hint`package accept ${named}`}.`,
    { exit: 1 },
  );
}
