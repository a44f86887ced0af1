import { PROJECT_ROUTES } from '@cuebook/api';
import type { RunId } from '@cuebook/journal';
import { fail, ok } from '@cuebook/prompt';
import {
  declaredRights,
  edgeScopeOf,
  findNode,
  findRoles,
  findTeams,
  hostOf,
  loadRole,
  ownRoles,
  type RoleTemplate,
} from '@cuebook/team';
import type { Probes } from '../http/app.js';
import { badField, fromHost, type HttpError } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { readRun, type TeamParts } from './parts.js';

/** The project: workspaces, providers, role templates, team files. */
export function projectRoutes(parts: TeamParts, probes: Pick<Probes, 'health' | 'ready'>) {
  const { host, files, detect } = parts;
  const nameOf = async (run: string, node: string | undefined) => {
    const read = await readRun(parts, run);
    if (!read.ok) return read;
    if (node === undefined) return ok({ run });
    const nodes = Object.values(read.value.state.nodes).map((each) => each.node);
    const found = findNode(nodes, node);
    // Work is where the folder is: that of another node, for one that works with it.
    return found ? ok({ run, node: hostOf(found) }) : fail(badField('node', 'no such node in this run'));
  };
  return routeGroup(PROJECT_ROUTES, {
    health: async () => {
      const cause = await probes.health();
      return ok(cause ? { status: 'degraded', api: 1, cause } : { status: 'ok', api: 1 });
    },
    ready: async () => {
      const cause = await probes.ready();
      return cause ? fail({ status: 503, ...cause }) : ok({ status: 'ok', api: 1 });
    },
    listWorkspaces: async ({ params: { run } }) => {
      const views = await host.workspaces(run as RunId);
      if (!views.ok) return fail(fromHost(views.error));
      const read = await readRun(parts, run);
      if (!read.ok) return read;
      const nodes = Object.values(read.value.state.nodes).map((each) => each.node);
      const contents = await host.work.contents();
      if (!contents.ok) return fail(workError(contents.error));
      const others = (id: string) => nodes.filter((node) => node.id !== id && hostOf(node) === id);
      return ok({
        workspaces: views.value.map((view) => ({ ...view, others: others(view.node).map(({ id }) => id) })),
        contents: contents.value,
      });
    },
    applyWork: async ({ params: { run }, body: { node, dryRun, commit, files: only } }, { signal }) => {
      const what = await nameOf(run, node);
      if (!what.ok) return what;
      const options = {
        signal,
        ...(dryRun && { dryRun }),
        ...(commit !== undefined && { commit }),
        ...(only && { files: only }),
      };
      const applied = await host.work.apply(what.value, options);
      return applied.ok ? ok(applied.value) : fail(workError(applied.error));
    },
    cleanWork: async ({ params: { run }, body: { node, discard } }, { signal }) => {
      const what = await nameOf(run, node);
      if (!what.ok) return what;
      const cleaned = await host.work.clean(what.value, { signal, ...(discard && { discard }) });
      if (!cleaned.ok) return fail(workError(cleaned.error));
      const { left, ...done } = cleaned.value;
      return ok({ ...done, ...(left && { left: left.message }) });
    },
    pushWork: async ({ body: { branch } }, { signal }) => {
      const pushed = await host.work.push(branch, { signal });
      return pushed.ok ? ok(pushed.value) : fail(workError(pushed.error));
    },
    listProviders: async () => {
      const found = await detect();
      return ok({
        default: found.default,
        models: found.models,
        providers: found.providers.map(
          ({ name, kind, installed, version, signedIn, capabilities, missing }) => ({
            name,
            kind,
            installed: installed ?? null,
            version: version ?? null,
            signedIn,
            capabilities: { ...capabilities },
            missing,
          }),
        ),
      });
    },
    listTeams: async () => ok({ teams: await findTeams(files) }),
    listRoles: async () => {
      const own = new Set(await ownRoles(files));
      const names = await findRoles(files);
      const roles = await Promise.all(
        names.map(async (name) => {
          const loaded = await loadRole(files, name);
          const { version = '', capabilities = [], constraints = [] } = loaded.ok ? loaded.value : {};
          return {
            name,
            source: own.has(name) ? ('repository' as const) : ('shipped' as const),
            version: version || null,
            capabilities,
            constraints,
            rights: rightsOf({ capabilities, constraints }),
            usable: loaded.ok,
          };
        }),
      );
      return ok({ roles });
    },
    getRole: async ({ params: { role } }) => {
      const loaded = await loadRole(files, role);
      if (!loaded.ok) {
        const [first] = loaded.diagnostics;
        const isUnknown = first?.code === 'E_ROLE_UNKNOWN';
        return fail({
          status: isUnknown ? 404 : 409,
          code: first?.code ?? 'E_ROLE',
          message: first?.message ?? 'The template cannot be used.',
          diagnostics: loaded.diagnostics,
        });
      }
      const { name, source, file, text, version, capabilities, constraints } = loaded.value;
      const { diagnostics } = loaded;
      return ok({
        name,
        source,
        file,
        text,
        version: version || null,
        capabilities,
        constraints,
        rights: rightsOf(loaded.value),
        diagnostics,
      });
    },
  });
}

/** What a node of a role may do at most. */
const rightsOf = (role: Pick<RoleTemplate, 'capabilities' | 'constraints'>) => ({
  edgeManagement: edgeScopeOf(role),
  ...declaredRights(role),
});

const workError = ({ code, message }: { readonly code: string; readonly message: string }): HttpError => ({
  status: code === 'E_WORKSPACE_UNKNOWN' ? 404 : 409,
  code,
  message,
});
