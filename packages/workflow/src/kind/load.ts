import { join } from 'node:path';
import { describeFileError, type FileError, openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { diagnosed, type Ground, type HostError, refuse } from '@cuebook/host';
import { CONFIG_FILE } from '@cuebook/profile';
import { ok, type Result } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { createAcceptances } from '../package/acceptance.js';
import { isOwnPackage, packageFolderHash } from '../package/own-package.js';
import { createWorkflowProfile, type PackageStanding, type WorkflowSource } from '../profile.js';
import { NO_SETTINGS, readWorkflowSettings, type WorkflowSettings } from '../settings/settings.js';

/** A workflow of the project, as a run follows it. */
export interface LoadedWorkflow extends WorkflowSource {
  readonly settings: WorkflowSettings;
  /** The folder of the package. */
  readonly pkg: string;
}

/** The profile of the workflows of a project, each package trusted as far as a run trusts it. */
export async function hostedWorkflows(
  ground: Pick<Ground, 'files' | 'folder' | 'home' | 'redactor'>,
): Promise<ReturnType<typeof createWorkflowProfile>> {
  const settings = await readSettings(ground);
  return createWorkflowProfile({
    redactor: ground.redactor,
    ...(settings.ok && { settings: settings.value.tools }),
    trustOf: async (folder) => {
      const standing = await standingOf(folder, ground);
      return standing.ok ? standing.value : { trust: 'external' };
    },
  });
}

/** Reads the workflow of a target such as `workflow:DIR#ID` from the project's folder, and what the project allows it. */
export async function loadHostedWorkflow(
  target: string,
  ground: Ground,
): Promise<Result<LoadedWorkflow, HostError>> {
  const name = target.replace(/^workflow:/, '');
  const [folder = ''] = name.split('#');
  const found = await ground.files.stat(folder === '' ? '.' : folder);
  if (!found.ok) return unreadable(found.error);
  if (found.value.kind !== 'directory')
    return refuse('invalid', 'E_TARGET', 'A host runs packages that are folders of the project.');
  const settings = await readSettings(ground);
  if (!settings.ok) return settings;
  const standing = await standingOf(folder, ground);
  if (!standing.ok) return standing;
  const { redactor } = ground;
  const profile = createWorkflowProfile({
    redactor,
    settings: settings.value.tools,
    trustOf: () => standing.value,
  });
  const loaded = await profile.load(ground.files, name);
  if (!loaded.ok) return diagnosed(loaded.diagnostics);
  const { package: own } = loaded.value;
  if (guard('host.unaccepted', own.trust === 'external'))
    return refuse(
      'conflict',
      'E_PACKAGE_UNACCEPTED',
      `The package ${own.name} ${own.version} comes from outside the project, and nobody has accepted its bytes as they are now. Read it with ${hint`package show ${folder}`}, and accept it with ${hint`package accept ${folder}`}.`,
    );
  return ok({ ...loaded.value, settings: settings.value, pkg: join(ground.folder, folder) });
}

const unreadable = (error: FileError): Result<never, HostError> =>
  refuse('invalid', error.code, `The package: ${describeFileError(error)}`);

async function readSettings({ files }: Pick<Ground, 'files'>): Promise<Result<WorkflowSettings, HostError>> {
  const text = await files.readText(CONFIG_FILE);
  if (!text.ok) return text.error.code === 'E_FILE_NOT_FOUND' ? ok(NO_SETTINGS) : unreadable(text.error);
  const read = readWorkflowSettings(text.value, CONFIG_FILE);
  return read.ok ? read : diagnosed(read.error);
}

/** A package that is not the project's own is trusted as an author's when a person accepted its bytes. */
async function standingOf(
  folder: string,
  ground: Pick<Ground, 'files' | 'folder' | 'home'>,
): Promise<Result<PackageStanding, HostError>> {
  if (await isOwnPackage(ground.files, folder)) return ok({ trust: 'author' });
  const files = await openFolder(join(ground.folder, folder), { access: 'ro' });
  if (!files.ok) return unreadable(files.error);
  const hash = await packageFolderHash(files.value);
  if (!hash.ok) return unreadable(hash.error);
  const accepted = await createAcceptances(ground.home).find(hash.value);
  return ok({ trust: accepted === undefined ? 'external' : 'author' });
}
