import { join } from 'node:path';
import { describeFileError, type FileError, openFolder, type TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { diagnosed, type Ground, type HostError, refuse } from '@cuebook/host';
import { CONFIG_FILE } from '@cuebook/profile';
import { ok, type Result } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import type { ServersConfig, ServersOffer } from '@cuebook/provider/servers';
import { createAcceptances } from '../package/acceptance.js';
import { type KeptPackage, keptSource, takePackage } from '../package/kept-package.js';
import { isOwnPackage, packageFolderHash } from '../package/own-package.js';
import { createWorkflowProfile, type PackageStanding, type WorkflowSource } from '../profile.js';
import {
  allowedServers,
  NO_SETTINGS,
  readWorkflowSettings,
  type WorkflowSettings,
} from '../settings/settings.js';

/** A workflow of the project, as a run follows it. */
export interface LoadedWorkflow extends WorkflowSource {
  /** What the project says of its runs now. */
  readonly settings: WorkflowSettings;
  /** The package that it was read from. */
  readonly kept: KeptPackage;
  /** The folder of the package in the project, or the texts of one from elsewhere. */
  readonly pkg: string | TextSource;
}

/** The profile of the workflows of a project, each package trusted as far as a run trusts it. */
export async function hostedWorkflows(
  ground: Pick<Ground, 'files' | 'folder' | 'home' | 'redactor'>,
  /** Says what servers offer. Left out: nobody asks, and no tool of theirs is shown. */
  { servers }: { readonly servers?: (config: ServersConfig) => Promise<ServersOffer> } = {},
): Promise<ReturnType<typeof createWorkflowProfile>> {
  const settings = await readSettings(ground);
  const allowed = settings.ok ? allowedServers(settings.value) : {};
  return createWorkflowProfile({
    redactor: ground.redactor,
    ...(settings.ok && { settings: settings.value.tools }),
    ...(servers && {
      servers: async () => {
        const { tools, diagnostics } = await servers(allowed);
        return { tools, problems: diagnostics.map(({ message }) => message) };
      },
    }),
    trustOf: async (folder) => {
      const hash = await foreignHash(folder, ground);
      if (!hash.ok) return { trust: 'external' };
      return standingOf(hash.value === undefined ? {} : { accepted: hash.value }, ground);
    },
  });
}

/**
 * Reads the workflow of a target such as `workflow:DIR#ID`, and what the project allows it. `begun`: the package as the
 * run began with it; left out: as it lies in the project's folder.
 */
export async function loadHostedWorkflow(
  target: string,
  ground: Ground,
  begun?: KeptPackage,
): Promise<Result<LoadedWorkflow, HostError>> {
  const name = target.replace(/^workflow:/, '');
  const [folder = '', id] = name.split('#');
  const settings = await readSettings(ground);
  if (!settings.ok) return settings;
  const taken = begun === undefined ? await takeHosted(folder, ground, settings.value) : ok(begun);
  if (!taken.ok) return taken;
  const kept = taken.value;
  const standing = await standingOf(kept, ground);
  const { redactor } = ground;
  const profile = createWorkflowProfile({ redactor, settings: kept.tools, trustOf: () => standing });
  const loaded = await profile.load(
    keptSource(kept, ground.files),
    [kept.folder, ...(id === undefined ? [] : [id])].join('#'),
  );
  if (!loaded.ok) return diagnosed(loaded.diagnostics);
  const { package: own } = loaded.value;
  if (guard('host.unaccepted', own.trust === 'external'))
    return refuse(
      'conflict',
      'E_PACKAGE_UNACCEPTED',
      `The package ${own.name} ${own.version} comes from outside the project, and nobody has accepted its bytes as they are now. Read it with ${hint`package show ${folder}`}, and accept it with ${hint`package accept ${folder}`}.`,
    );
  return ok({ ...loaded.value, kept, settings: settings.value, pkg: join(ground.folder, folder) });
}

/** The package of a folder as it is now. */
async function takeHosted(
  folder: string,
  ground: Ground,
  { tools }: WorkflowSettings,
): Promise<Result<KeptPackage, HostError>> {
  const found = await ground.files.stat(folder === '' ? '.' : folder);
  if (!found.ok) return unreadable(found.error);
  if (found.value.kind !== 'directory')
    return refuse('invalid', 'E_TARGET', 'A host runs packages that are folders of the project.');
  const hash = await foreignHash(folder, ground);
  if (!hash.ok) return hash;
  const accepted = hash.value === undefined ? {} : { accepted: hash.value };
  const taken = await takePackage(ground.files, folder, { tools, ...accepted });
  return taken.ok ? taken : refuse('unavailable', taken.error.code, taken.error.message);
}

const unreadable = (error: FileError): Result<never, HostError> =>
  refuse('invalid', error.code, `The package: ${describeFileError(error)}`);

async function readSettings({ files }: Pick<Ground, 'files'>): Promise<Result<WorkflowSettings, HostError>> {
  const text = await files.readText(CONFIG_FILE);
  if (!text.ok) return text.error.code === 'E_FILE_NOT_FOUND' ? ok(NO_SETTINGS) : unreadable(text.error);
  const read = readWorkflowSettings(text.value, CONFIG_FILE);
  return read.ok ? read : diagnosed(read.error);
}

/** The hash of the bytes of a package that is not the project's own. */
async function foreignHash(
  folder: string,
  ground: Pick<Ground, 'files' | 'folder'>,
): Promise<Result<string | undefined, HostError>> {
  if (await isOwnPackage(ground.files, folder)) return ok(undefined);
  const files = await openFolder(join(ground.folder, folder), { access: 'ro' });
  if (!files.ok) return unreadable(files.error);
  const hash = await packageFolderHash(files.value);
  return hash.ok ? hash : unreadable(hash.error);
}

/** A package that is not the project's own is trusted as an author's while a person accepts its bytes. */
async function standingOf(
  { accepted }: Pick<KeptPackage, 'accepted'>,
  { home }: Pick<Ground, 'home'>,
): Promise<PackageStanding> {
  if (accepted === undefined) return { trust: 'author' };
  const found = await createAcceptances(home).find(accepted);
  return { trust: found === undefined ? 'external' : 'author' };
}
