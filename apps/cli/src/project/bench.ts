import { type Files, openFolder, type TextSource } from '@cuebook/files';
import { loadConfig, type Workbench } from '@cuebook/profile';
import { createRedactor, type Diagnostic, hasErrors, type LeakContext } from '@cuebook/prompt';
import { type Flags, flagValue } from '../command.js';
import { diagnosed } from '../failure.js';
import type { Io } from '../io.js';
import { findProject } from './find.js';
import { sha256 } from './hash.js';
import { homeFolder } from './home.js';
import { projectContext } from './leak-context.js';
import { machineContext, thisMachine } from './machine.js';
import { requireFile } from './named-file.js';
import { kindOf, profilesFor } from './profiles.js';

/** An open project and all that composing in it needs. */
export interface Bench extends Workbench {
  /** What the redactor knows. */
  readonly context: LeakContext;
  readonly folder: string;
  readonly files: Files;
}

/**
 * Opens the project that a call works on; a configuration that does not fit is a failure. `kinds`: the kinds of targets
 * that are worked with; all when left out.
 */
export async function openBench(flags: Flags, io: Io, kinds?: readonly string[]): Promise<Bench> {
  return openBenchAt(await findProject(io.cwd, flagValue(flags, 'project')), io, kinds);
}

/** The kind of a target; undefined, which is all, where it names none that there is. */
export function kindsOf(target: string | undefined): readonly string[] | undefined {
  const kind = kindOf(target ?? '');
  return kind === undefined ? undefined : [kind];
}

/** Opens the project in a folder. */
export async function openBenchAt(folder: string, io: Io, kinds?: readonly string[]): Promise<Bench> {
  const { bench, diagnostics } = await openProject(folder, io, kinds);
  if (hasErrors(diagnostics)) throw diagnosed(diagnostics);
  return bench;
}

/**
 * A bench, and what is wrong with the configuration, which `check` reports beside everything else. Where it does not
 * fit, the bench knows only a part of what is private: nothing that is composed on it may be shown or sent.
 */
export interface OpenedProject {
  readonly bench: Bench;
  readonly diagnostics: readonly Diagnostic[];
}

/** `lay`: what stands over the files of the folder, such as texts that are not saved yet. */
export async function openProject(
  folder: string,
  io: Pick<Io, 'env' | 'cwd'>,
  kinds?: readonly string[],
  lay: (files: Files) => Files = (files) => files,
): Promise<OpenedProject> {
  const home = homeFolder(folder, io);
  // What definitions and packages name is read as packages may, whatever link leads there.
  const withhold = { from: 'agent', home } as const;
  const files = lay(requireFile(await openFolder(folder, { access: 'ro', withhold }), folder));
  const config = await loadConfig(files);
  const machine = thisMachine(io.env);
  const context = projectContext(machineContext(machine, folder), config.ok ? config.value : config.partial, {
    project: folder,
    home: machine.home,
  });
  const redactor = createRedactor(context);
  const bench: Bench = {
    profiles: await profilesFor({ folder, home, env: io.env }, kinds),
    project: files,
    files,
    folder,
    hash: sha256,
    context,
    redactor,
  };
  return { bench, diagnostics: config.diagnostics };
}

/** The same bench over another source of the project's texts; `at`: the revision that they are of. */
export const benchOver = (
  bench: Bench,
  project: TextSource,
  at: Pick<Bench, 'revision' | 'commit'> = {},
): Bench => ({ ...bench, project, ...at });
