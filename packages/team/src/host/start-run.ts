import type { TextSource } from '@cuebook/files';
import { diagnosed, type HostError, type RunNote, refuse } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { type Diagnostic, hasErrors, ok, type Result } from '@cuebook/prompt';
import { readScript } from '@cuebook/provider';
import { unknownVoice, type Voices } from '../drive/voices.js';
import { checkTeam } from '../file/check.js';
import { loadTeam, type TeamSource } from '../file/load.js';
import { nodesOf } from '../file/nodes.js';
import { readProjectLimits } from '../file/project-limits.js';
import { serversOf } from '../file/servers.js';
import { startOf } from '../file/start.js';
import { type VetOptions, vetTeam, type WithheldWords } from '../role/vet.js';
import type { RunStart } from '../run/command.js';
import type { StartRun } from './contract.js';

/** Everything that a run begins with, checked: nothing is written and nobody was asked anything yet. */
export interface PreparedRun {
  readonly start: RunStart;
  readonly note: RunNote;
  readonly diagnostics: readonly Diagnostic[];
  /** The team file and the templates of the repository, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** Words of agents that the run does not take: a person is asked about them once it has begun. */
  readonly withheld: readonly WithheldWords[];
}

/** Where a run is prepared. */
export interface RunGround extends VetOptions {
  readonly project: TextSource;
  readonly voices: Voices;
}

/** Reads and checks a team and its script. Every problem at once, with its file and line. */
export async function prepareRun(
  { project, voices, ...vetting }: RunGround,
  input: StartRun,
  run: RunId,
): Promise<Result<PreparedRun, HostError>> {
  const { team, goal, script, by, budget, most, limits } = input;
  const projectLimits = await readProjectLimits(project);
  if (!projectLimits.ok) return diagnosed(projectLimits.diagnostics);
  const loaded =
    'file' in team
      ? await loadTeam(project, team.file)
      : await loadTeam(withText(project, team.text), GIVEN_FILE);
  if (!loaded.ok) return diagnosed(loaded.diagnostics);
  const vetted = await vetTeam(loaded.value, vetting);
  const { source, withheld } = vetted;
  const diagnostics = [...loaded.diagnostics, ...vetted.diagnostics, ...checkTeam(source)];
  if (hasErrors(diagnostics)) return diagnosed(diagnostics);
  const read = script === undefined ? undefined : readScript(script, 'script');
  if (read && !read.ok) return diagnosed(read.error);
  const stranger = nodesOf(source).find(({ provider }) => voices.entry(provider) === undefined);
  if (stranger) {
    const { code, message } = unknownVoice(stranger.provider, voices.names);
    return refuse('invalid', code, message);
  }
  const start = startOf(source, {
    ...{ run, by, providers: voices.names, priced: isPriced(source, voices) },
    ...(goal === undefined ? {} : { goal }),
    ...(budget === undefined && most === undefined ? {} : { budget: { ...budget, ...(most && { most }) } }),
    projectLimits: projectLimits.value,
    ...(limits === undefined ? {} : { limits }),
  });
  const { setup } = source.team;
  const servers = serversOf(source);
  const note = {
    ...(setup === undefined ? {} : { setup }),
    ...(script === undefined ? {} : { script }),
    ...(Object.keys(servers).length === 0 ? {} : { servers }),
  };
  return ok({
    start,
    note,
    diagnostics,
    files: { ...(await teamText(project, team)), ...templatesOf(source) },
    withheld,
  });
}

async function teamText(project: TextSource, team: StartRun['team']): Promise<PreparedRun['files']> {
  const text = 'file' in team ? await project.readText(team.file) : undefined;
  return 'file' in team && text?.ok ? { [team.file]: text.value } : {};
}

const templatesOf = ({ roles }: TeamSource): PreparedRun['files'] =>
  Object.fromEntries(
    [...roles.values()].flatMap((role) => (role.source === 'repository' ? [[role.file, role.text]] : [])),
  );

/** How problems name a team that was handed in as a text. */
export const GIVEN_FILE = 'given.team.yaml';

const withText = (project: TextSource, text: string): TextSource => ({
  clean: (path) => project.clean(path),
  readText: async (path) => (path === GIVEN_FILE ? ok(text) : project.readText(path)),
  readBytes: async (path) =>
    path === GIVEN_FILE ? ok(new TextEncoder().encode(text)) : project.readBytes(path),
  list: (path, options) => project.list(path, options),
  walk: (path, options) => project.walk(path, options),
});

const isPriced = (source: TeamSource, voices: Voices): boolean =>
  nodesOf(source).every((node) => voices.priceOf(node) !== undefined);
