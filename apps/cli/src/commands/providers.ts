import { homedir } from 'node:os';
import { openFolder } from '@cuebook/files';
import {
  type DetectedProvider,
  defaultProvider,
  detectProviders,
  NO_CONFIG,
  type ProviderCapabilities,
  type ProviderConfig,
  providerCatalog,
} from '@cuebook/provider';
import { type CommandHandler, type Flags, flagValue, isOn } from '../command.js';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { columns, lineWidth, paragraph } from '../output/columns.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { type Style, styleFor } from '../output/style.js';
import { findProject } from '../project/find.js';
import { requireFile } from '../project/named-file.js';
import { requireProviders } from '../project/providers.js';

/** `cuebook providers`: who can speak, what is missing, what each can do. Works without a project too. */
export const run: CommandHandler = async ({ flags, io }) => {
  const folder = await projectFolder(flags, io);
  const config = folder === undefined ? NO_CONFIG : await loadConfig(folder);
  const defaultName = defaultProvider(config);
  const providers = await withProgress(
    io,
    'Looking for providers',
    detectProviders(providerCatalog(config), {
      env: io.env,
      home: io.env.HOME ?? homedir(),
      defaultName,
      folder: folder ?? io.cwd,
    }),
  );
  if (isOn(flags, 'json')) await printJson(io, { default: defaultName, providers });
  else await io.out(pageOf(providers, defaultName, { style: styleFor(io, 'out'), width: lineWidth(io) }));
  return 0;
};

const loadConfig = async (folder: string): Promise<ProviderConfig> =>
  requireProviders(requireFile(await openFolder(folder, { access: 'ro' }), '.'));

async function projectFolder(flags: Flags, io: Io): Promise<string | undefined> {
  const named = flagValue(flags, 'project');
  try {
    return await findProject(io.cwd, named);
  } catch (error) {
    if (named === undefined && error instanceof Failure && error.code === 'E_NO_PROJECT') return undefined;
    throw error;
  }
}

const ABILITIES: readonly (readonly [keyof ProviderCapabilities, string])[] = [
  ['streams', 'streams'],
  ['resumes', 'resumes'],
  ['interrupts', 'interrupts'],
  ['approves', 'approves'],
  ['changesInput', 'changes input'],
  ['planning', 'plans'],
  ['nativeTools', 'our tools'],
];

function pageOf(
  providers: readonly DetectedProvider[],
  defaultName: string,
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  const head = ['name', 'installed', 'version', 'signed in'];
  const [titles = '', ...rows] = tableOf([head, ...providers.map(rowOf)]);
  const abilities = ABILITIES.map(([ability, title]) => [title, whoCan(providers, ability)] as const);
  const troubles = providers.flatMap(({ name, missing, notes }) =>
    [...missing, ...notes].map((text) => [name, text] as const),
  );
  return `${[
    paragraph(spoken(defaultName), width),
    '',
    style.bold(titles),
    ...rows,
    '',
    style.bold('can'),
    columns(abilities, width),
    ...(troubles.length === 0 ? [] : ['', style.bold('missing'), columns(troubles, width)]),
  ].join('\n')}\n`;
}

function whoCan(providers: readonly DetectedProvider[], ability: keyof ProviderCapabilities): string {
  const able = providers.filter(({ capabilities }) => capabilities[ability]);
  if (able.length === providers.length) return 'all';
  return able.length === 0 ? 'none' : able.map(({ name }) => name).join(', ');
}

const spoken = (name: string): string =>
  name === 'rehearsal'
    ? 'By default the rehearsal answers: a script, not a model. Name another with `provider:` in cuebook.yaml.'
    : `The default provider is ${name}.`;

const rowOf = ({ name, installed, version, signedIn }: DetectedProvider): readonly string[] => [
  name,
  installed === undefined ? '–' : installed ? 'yes' : 'no',
  version ?? '–',
  signedIn === 'none' ? '–' : signedIn,
];

/** Columns as wide as their widest cell. */
function tableOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
