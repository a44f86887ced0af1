import { describeFileError, type TextSource } from '@cuebook/files';
import type { Loaded } from '@cuebook/profile';
import { type Diagnostic, hasErrors, nearest } from '@cuebook/prompt';
import type { ServersConfig } from '@cuebook/provider/servers';
import { diagnosticAt, readShape, readYaml, type YamlSource } from '@cuebook/yaml';
import { findRoles, loadRole } from '../role/load.js';
import type { RoleTemplate } from '../role/template.js';
import { type TeamFile, teamSchema } from './schema.js';
import { loadServers } from './servers.js';

/** A team file with every role template that its nodes, and the nodes they spawn, may have. */
export interface TeamSource {
  readonly file: string;
  readonly team: TeamFile;
  readonly yaml: YamlSource;
  readonly roles: ReadonlyMap<string, RoleTemplate>;
  /** The MCP servers that the project names, where a node names one. */
  readonly servers?: ServersConfig;
  /** It does not fit as a whole: nodes and edges that do not are holes. For a look that goes on. */
  readonly isPartial?: boolean;
}

/**
 * The team files of a project: `team.yaml`, `NAME.team.yaml`, and all of `teams/`. Folders that begin with a dot hold
 * none: among them is ours, with the workspaces of runs and so with copies of the project.
 */
export async function findTeams(project: TextSource): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const path of project.walk('.')) if (path.ok && isTeamFile(path.value)) files.push(path.value);
  return files.sort();
}

/** Whether a file of a project is a team file, by its path. */
export const isTeamFile = (path: string): boolean => TEAM_FILE.test(path) && !/(?:^|\/)\./.test(path);

const TEAM_FILE = /^(?:(?:.*\/)?(?:team|[^/]+\.team)|teams\/.+)\.ya?ml$/;

/** Reads a team file and its templates. Every problem at once, each with its file and line. */
export async function loadTeam(project: TextSource, file: string): Promise<Loaded<TeamSource>> {
  const text = await project.readText(file);
  if (!text.ok) {
    if (text.error.code !== 'E_FILE_NOT_FOUND')
      return failed({
        code: text.error.code,
        severity: 'error',
        message: describeFileError(text.error),
        file,
      });
    const meant = nearest(file, await findTeams(project));
    const hint = meant === undefined ? 'A team is named by its file' : `Did you mean team:${meant}?`;
    return failed({
      code: 'E_TARGET',
      severity: 'error',
      message: `There is no team file "${file}". ${hint}`,
    });
  }
  const read = readYaml(file, text.value, 'E_TEAM');
  const yaml = read.ok ? read.value : read.rest;
  if (yaml === undefined) return { ok: false, diagnostics: read.diagnostics };
  const shape = readShape(yaml, teamSchema, 'E_TEAM');
  const team = shape.ok ? shape.value : sketchTeam(shape.sketch);
  const { roles, diagnostics: ofRoles } = await loadRoles(project, team, yaml);
  const servers = await loadServers(project, team);
  const diagnostics = [...read.diagnostics, ...shape.diagnostics, ...ofRoles, ...servers.diagnostics];
  const value = { file, team, yaml, roles, ...servers.found };
  if (!hasErrors(diagnostics)) return { ok: true, value, diagnostics };
  return { ok: false, diagnostics, partial: { ...value, isPartial: true } };
}

/** A team of what fits in one that does not. A node that has no alias or no role is a hole, as an edge without ends is. */
function sketchTeam(sketch: unknown): TeamFile {
  const team = (sketch ?? {}) as Partial<TeamFile>;
  return {
    ...teamSchema.parse({ nodes: [{ alias: 'A', role: 'planner' }] }),
    ...team,
    done: (team.done ?? []).filter(() => true),
    nodes: fitting(team.nodes ?? [], ({ alias, role }) => alias !== undefined && role !== undefined),
    edges: fitting(team.edges ?? [], ({ from, to }) => from !== undefined && to !== undefined),
  };
}

function fitting<Item>(items: readonly Item[], test: (item: Item) => boolean): Item[] {
  const found: Item[] = new Array(items.length);
  items.forEach((item, index) => {
    if (test(item)) found[index] = item;
  });
  return found;
}

async function loadRoles(project: TextSource, team: TeamFile, yaml: YamlSource) {
  const roles = new Map<string, RoleTemplate>();
  const diagnostics: Diagnostic[] = [];
  const used = new Map(team.nodes.flatMap(({ role }, index) => [[role, index] as const]).reverse());
  for (const name of new Set([...used.keys(), ...(await findRoles(project))])) {
    const role = await loadRole(project, name);
    const index = used.get(name);
    if (role.ok) roles.set(name, role.value);
    // A template that no node has is a problem of its own target, not of this team.
    if (index === undefined) continue;
    diagnostics.push(...role.diagnostics.map((found) => placed(found, yaml, index)));
  }
  return { roles, diagnostics };
}

/** A problem that no file has is told at the node that asks for the template. */
function placed(found: Diagnostic, yaml: YamlSource, index: number): Diagnostic {
  if (found.file !== undefined) return found;
  const { code, severity, message } = found;
  return diagnosticAt(yaml, ['nodes', index, 'role'], { code, severity, message });
}

const failed = (diagnostic: Diagnostic): { ok: false; diagnostics: readonly Diagnostic[] } => ({
  ok: false,
  diagnostics: [diagnostic],
});
