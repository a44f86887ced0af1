import { describeFileError, type TextSource } from '@cuebook/files';
import { diagnosticAt, type Loaded, nearest, readShape, readYaml, type YamlSource } from '@cuebook/profile';
import { type Diagnostic, hasErrors } from '@cuebook/prompt';
import { findRoles, loadRole } from '../role/load.js';
import type { RoleTemplate } from '../role/template.js';
import { type TeamFile, teamSchema } from './schema.js';

/** A team file with every role template that its nodes, and the nodes they spawn, may have. */
export interface TeamSource {
  readonly file: string;
  readonly team: TeamFile;
  readonly yaml: YamlSource;
  readonly roles: ReadonlyMap<string, RoleTemplate>;
}

/**
 * The team files of a project: `team.yaml`, `NAME.team.yaml`, and all of `teams/`. Folders that begin with a dot hold
 * none: among them is ours, with the workspaces of runs and so with copies of the project.
 */
export async function findTeams(project: TextSource): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const path of project.walk('.'))
    if (path.ok && TEAM_FILE.test(path.value) && !/(?:^|\/)\./.test(path.value)) files.push(path.value);
  return files.sort();
}

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
  const yaml = readYaml(file, text.value, 'E_TEAM');
  if (!yaml.ok) return yaml;
  const team = readShape(yaml.value, teamSchema, 'E_TEAM');
  if (!team.ok) return team;
  const { roles, diagnostics } = await loadRoles(project, team.value, yaml.value);
  if (hasErrors(diagnostics)) return { ok: false, diagnostics };
  return { ok: true, value: { file, team: team.value, yaml: yaml.value, roles }, diagnostics };
}

async function loadRoles(project: TextSource, team: TeamFile, yaml: YamlSource) {
  const roles = new Map<string, RoleTemplate>();
  const diagnostics: Diagnostic[] = [];
  const used = new Map(team.nodes.map(({ role }, index) => [role, index] as const).reverse());
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
