import type { Files } from '@cuebook/files';
import { CONFIG_FILE, parseTarget } from '@cuebook/profile';
import type { Servers } from '@cuebook/provider/servers';
import {
  allowedServers,
  createWorkflowProfile,
  isOwnPackage,
  NO_SETTINGS,
  readWorkflowSettings,
  type WorkflowSettings,
} from '@cuebook/workflow/profiles';
import { diagnosed } from '../failure.js';
import type { Io } from '../io.js';
import type { Bench } from './bench.js';
import { requireFile } from './named-file.js';
import { liesInProject, openPackage, ownPackage, standingOf } from './packages.js';

/**
 * The bench to compose a workflow on, and the target there. A package of the project is named from the project's
 * top; any other, folder or zip archive, from where the call was made, and becomes the source itself. The settings are
 * those of the project where none are given. `asks`: MCP servers are asked for their tools, as a run asks them.
 */
export async function workflowBench(
  bench: Bench,
  text: string,
  io: Io,
  { settings: given, asks = false }: { readonly settings?: WorkflowSettings; readonly asks?: boolean } = {},
): Promise<WorkflowBench> {
  const settings = given ?? (await requireWorkflowSettings(bench.files));
  const target = parseTarget(text);
  const [named = '', id] = (target?.name ?? '').split('#');
  const inside = await bench.files.stat(named);
  const isFolder = inside.ok && inside.value.kind === 'directory';
  const isHere = target === undefined || target.revision !== undefined || isFolder;
  const found = isHere
    ? await ownPackage(bench.folder, named)
    : await openPackage(named, inside.ok ? bench.folder : io.cwd);
  const isOwn = isHere
    ? await isOwnPackage(bench.files, named)
    : found !== undefined && (await liesInProject(found, bench));
  const { folder, redactor } = bench;
  const isForeign = !isOwn && found !== undefined;
  const standing = isForeign ? await standingOf(found, { folder, named, io }) : undefined;
  const accepted = standing?.trust === 'author' ? { accepted: await found?.hash() } : {};
  const profile = createWorkflowProfile({
    redactor,
    settings: settings.tools,
    ...(asks ? { servers: serversOf(settings, bench, io) } : {}),
    voice: await usualVoice(bench.files, io),
    ...(standing === undefined ? {} : { trustOf: () => standing }),
  });
  const profiles = bench.profiles.map((each) => (each.prefix === 'workflow' ? profile : each));
  if (isHere || found === undefined) return { bench: { ...bench, profiles }, text, ...accepted };
  return {
    bench: { ...bench, profiles, project: found.source },
    text: id === undefined ? 'workflow:.' : `workflow:.#${id}`,
    ...accepted,
  };
}

interface WorkflowBench {
  readonly bench: Bench;
  readonly text: string;
  /** The hash that a person accepted the package by; undefined for the project's own, and where nobody did. */
  readonly accepted?: string | undefined;
}

/** Asks the servers once, however often a package is loaded. */
function serversOf(settings: WorkflowSettings, { folder, redactor }: Bench, io: Io) {
  let asked: Promise<Servers> | undefined;
  return (): Promise<Servers> => {
    asked ??= ask();
    return asked;
  };
  async function ask(): Promise<Servers> {
    const { connectServers } = await import('@cuebook/provider/servers');
    const { projectLogins } = await import('./logins.js');
    const servers = await connectServers(allowedServers(settings), {
      ...{ env: io.env, cwd: folder, redactor },
      logins: projectLogins(folder, io),
    });
    await servers.close();
    return servers;
  }
}

/** The kind of provider that a run of the project speaks through when its call names none. */
async function usualVoice(files: Files, io: Io): Promise<'api' | 'cli' | 'rehearsal'> {
  const text = await files.readText(CONFIG_FILE);
  if (!text.ok || !/^\s*provider\s*:/m.test(text.value)) return 'rehearsal';
  const [{ createProvider }, { readProviders }] = await Promise.all([
    import('@cuebook/provider'),
    import('./providers.js'),
  ]);
  const config = await readProviders(files);
  const made = config.ok ? createProvider(undefined, { config: config.value, env: io.env }) : undefined;
  return made?.ok ? made.value.kind : 'rehearsal';
}

/** What the project's configuration says about workflow runs. */
export async function requireWorkflowSettings(files: Files): Promise<WorkflowSettings> {
  const text = await files.readText(CONFIG_FILE);
  if (!text.ok && text.error.code === 'E_FILE_NOT_FOUND') return NO_SETTINGS;
  const read = readWorkflowSettings(requireFile(text, CONFIG_FILE), CONFIG_FILE);
  if (!read.ok) throw diagnosed(read.error);
  return read.value;
}
