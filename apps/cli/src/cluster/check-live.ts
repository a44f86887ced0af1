import { referencesOf } from '@cuebook/manifest';
import { checkTarget, findProblems } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import { type Call, flagValue } from '../command.js';
import type { Report } from '../commands/check.js';
import { sortDiagnostics, uniqueDiagnostics } from '../output/diagnostics.js';
import { liveName } from './is-live.js';
import { benchOf, type OpenedCluster, openLive, requireLiveAgent } from './live.js';

/**
 * `cuebook check --cluster`: the Agents of a cluster, or with files those that applying them would concern: Agents that
 * the files say, and Agents that include from ConfigMaps and Secrets that the files say.
 */
export async function checkLive(call: Call): Promise<Report> {
  const live = await openLive(call);
  const bench = benchOf(live.bench, live.after.manifests);
  const diagnostics: Diagnostic[] = [];
  const targets = agentsToCheck(call, live).map((name) => `manifest:${name}`);
  for (const target of targets) diagnostics.push(...(await checkTarget(bench, target)).diagnostics);
  if (live.files.size > 0)
    diagnostics.push(...(await findProblems(bench)).filter(({ file }) => live.files.has(file ?? '')));
  return {
    folder: live.bench.folder,
    targets,
    diagnostics: sortDiagnostics(uniqueDiagnostics(diagnostics)),
  };
}

function agentsToCheck(call: Call, live: OpenedCluster): readonly string[] {
  if (liveName(call.args[0]) !== undefined || flagValue(call.flags, 'agent') !== undefined)
    return [requireLiveAgent(call, live)];
  const { agents, partial } = live.after.manifests;
  const all = [...agents, ...partial].toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (live.files.size === 0) return all.map(([name]) => name);
  const { said } = live.after;
  const isConcerned = ([name, agent]: (typeof all)[number]): boolean =>
    said.has(`Agent ${name}`) ||
    referencesOf(agent).some((each) => said.has(`${each.kind} ${each.namespace}/${each.name}`));
  return all.filter(isConcerned).map(([name]) => name);
}
