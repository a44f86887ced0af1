import { defaultProvider, providerCatalog } from '@cuebook/provider';
import { type Call, flagValue } from '../../command.js';
import { diagnosed, Failure } from '../../failure.js';
import type { Bench } from '../../project/bench.js';
import { requireProviders } from '../../project/providers.js';

/**
 * Refuses to try agents of the project that speak through a program with tools of its own: what such a program does on
 * this machine nobody answers for in its place, and attacks are made to have it do something.
 */
export async function requireSafeVoices(call: Call, bench: Bench, targets: readonly string[]): Promise<void> {
  if (flagValue(call.flags, 'script') !== undefined) return;
  const config = await requireProviders(bench.files);
  const acts = new Set(
    providerCatalog(config)
      .filter(({ kind }) => kind === 'cli')
      .map(({ name }) => name),
  );
  const named = flagValue(call.flags, 'provider');
  for (const target of targets) {
    const voices = await voicesOf(bench, target, named ?? defaultProvider(config), named);
    const found = voices.find((voice) => acts.has(voice));
    if (found !== undefined)
      throw new Failure(
        'E_INJECTION_PROGRAM',
        `${target} speaks through ${found}, a program that acts by itself on this machine`,
        { exit: 1 },
      );
  }
}

/** The providers that speak for a target. */
async function voicesOf(
  { files, folder }: Bench,
  target: string,
  other: string,
  named: string | undefined,
): Promise<readonly string[]> {
  const [prefix, name = ''] = target.split(/:(.*)/su);
  if (prefix === 'team') {
    const { loadTeam } = await import('@cuebook/team');
    const loaded = await loadTeam(files, name);
    if (!loaded.ok) throw diagnosed(loaded.diagnostics);
    const { team } = loaded.value;
    return team.nodes.map(({ provider = team.provider ?? 'rehearsal' }) => provider);
  }
  if (named !== undefined || (prefix !== 'agent' && prefix !== 'prompt')) return [other];
  const { loadProject } = await import('@cuebook/define');
  const { pathToFileURL } = await import('node:url');
  const { models } = await loadProject(files, { folder: pathToFileURL(`${folder}/`).href });
  return [...models.values()].map(({ data }) => data.provider);
}
