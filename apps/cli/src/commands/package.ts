import { guard } from '@cuebook/guard';
import { hiddenText } from '@cuebook/profile';
import { type Diagnostic, showInvisible } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import {
  type Acceptance,
  type Acceptances,
  createWorkflowProfile,
  packageDigest,
  type WorkflowPackage,
} from '@cuebook/workflow';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import { isAtTerminal } from '../io.js';
import { problemLine } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { count, screenText, styleFor } from '../output/style.js';
import { oneArgument, runAction } from '../platform/action.js';
import { byWhom } from '../platform/by-whom.js';
import { type FoundPackage, openAcceptances, openPackage } from '../project/packages.js';
import { workflowFolder } from '../project/workflow-folder.js';
import { askPermission } from '../run/ask.js';

/** `cuebook package ACTION`: which packages that nobody of the project wrote are trusted as its own. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const list: CommandHandler = async ({ args, flags, io }) => {
  if (args.length > 0)
    throw usage(`${hint`package list`} takes no name; ${hint`package show DIR`} shows one`);
  const accepted = (await (await openAcceptances(await workflowFolder(flags, io), io))?.list()) ?? [];
  if (isOn(flags, 'json')) await printJson(io, { packages: accepted });
  else if (accepted.length === 0) await io.out('No third-party packages are accepted.\n');
  else for (const each of accepted) await io.out(lineOf(each));
  return 0;
};

const lineOf = ({ name, version, hash, by, at }: Acceptance): string =>
  `${screenText(name, true)} ${version}  accepted by ${screenText(by, true)} at ${at}  ${hash}\n`;

const show: CommandHandler = async (call) => {
  const looked = await look(call, oneArgument(call, `the package: ${hint`package show DIR`}`));
  await tell(call, looked);
  return 0;
};

const accept: CommandHandler = async (call) => {
  const { flags, io } = call;
  const named = oneArgument(call, `the package: ${hint`package accept DIR`}`);
  const looked = await look(call, named);
  const given = flagValue(flags, 'hash');
  const isSame = given === undefined ? undefined : given === looked.hash;
  if (guard('package.hash', isSame === false))
    throw notShown(`The package is ${looked.hash} now, not ${given}: it is not the one that was shown.`);
  if (isSame === undefined) {
    const isAsked = isAtTerminal(io) && !isOn(flags, 'json');
    if (guard('package.hash', !isAsked))
      throw notShown(`Read it first: ${hint`package show ${named}`} prints its hash; accept it with --hash.`);
    await tell(call, looked);
    if ((await askPermission('Trust these words as your own?', { signal: io.stop })) !== true) return 1;
  }
  const { name, version } = looked.package;
  const acceptance: Acceptance = {
    hash: looked.hash,
    name,
    version,
    by: byWhom(flags, io),
    at: new Date().toISOString(),
  };
  await (await requireStore(call)).accept(acceptance);
  if (isOn(flags, 'json')) await printJson(io, { accepted: acceptance });
  else await io.out(lineOf(acceptance));
  return 0;
};

const notShown = (message: string): Failure => new Failure('E_PACKAGE_HASH', message, { exit: 1 });

const revoke: CommandHandler = async (call) => {
  const named = oneArgument(call, `the package or its hash: ${hint`package revoke DIR`}`);
  const hash = named.startsWith('sha256:') ? named : await (await requirePackage(call, named)).hash();
  const isRevoked = await (await requireStore(call)).revoke(hash);
  if (isOn(call.flags, 'json')) await printJson(call.io, { revoked: isRevoked ? hash : null });
  else await call.io.out(isRevoked ? `No longer accepted: ${hash}\n` : `Nobody had accepted ${hash}.\n`);
  return isRevoked ? 0 : 1;
};

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map([
  ['list', list],
  ['show', show],
  ['accept', accept],
  ['revoke', revoke],
]);

/** A package as a person looks at it before they accept it. */
interface Looked {
  readonly hash: string;
  /** For `integrity.sha256` of the manifest; undefined when not every file can be read. */
  readonly integrity: string | undefined;
  readonly package: WorkflowPackage;
  readonly accepted: Acceptance | undefined;
  /** What each agent would say in the system role, with what hides in it shown. */
  readonly personas: readonly { readonly agent: string; readonly text: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

async function look(call: Call, named: string): Promise<Looked> {
  const { flags, io } = call;
  const found = await requirePackage(call, named);
  const profile = createWorkflowProfile();
  const loaded = await profile.load(found.source, '.');
  if (!loaded.ok) throw diagnosed(loaded.diagnostics);
  const hash = await found.hash();
  const acceptances = await openAcceptances(await workflowFolder(flags, io), io);
  const personas = [...loaded.value.package.agents.keys()].map((agent) => {
    const input = profile.input.parse({ mode: 'agent', activeAgent: agent });
    const composed = profile.compose(loaded.value, input);
    const block = composed.ok ? composed.value.blocks.find(({ name }) => name === 'persona') : undefined;
    return { agent, text: showInvisible((block?.pieces ?? []).map(({ text }) => text).join('')) };
  });
  const digest = await packageDigest(found.source);
  return {
    hash,
    integrity: digest.ok ? digest.value : undefined,
    package: loaded.value.package,
    accepted: await acceptances?.find(hash),
    personas,
    diagnostics: [...loaded.diagnostics, ...(await hiddenIn(found))],
  };
}

async function hiddenIn({ source }: FoundPackage): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for await (const path of source.walk('.')) {
    const text = path.ok ? await source.readText(path.value) : path;
    if (path.ok && text.ok) found.push(...hiddenText(path.value, text.value));
  }
  return found;
}

async function tell({ flags, io }: Call, looked: Looked): Promise<void> {
  const { hash, integrity, accepted, personas, diagnostics } = looked;
  const { name, version } = looked.package;
  if (isOn(flags, 'json')) {
    return printJson(io, {
      name,
      version,
      hash,
      integrity: integrity ?? null,
      accepted: accepted ?? null,
      agents: [...looked.package.agents.values()].map(({ agent }) => ({
        id: agent.id,
        ...agent.metadata,
        menu: agent.menu ?? [],
        prompts: (agent.prompts ?? []).map(({ id, description }) => ({
          id,
          description: description ?? null,
        })),
      })),
      personas,
      diagnostics,
    });
  }
  const style = styleFor(io, 'out');
  await io.out(`${style.bold(screenText(`${name} ${version}`, true))}\n`);
  for (const { agent } of looked.package.agents.values()) {
    const { icon, title, module, description, sourceId } = agent.metadata;
    const about = [`${icon} ${title}`, module, description, sourceId].filter((each) => each !== undefined);
    await io.out(`${screenText(`${agent.id}: ${about.join(', ')}`, true)}\n`);
    for (const { id, description: what } of agent.prompts ?? []) {
      await io.out(`  ${screenText(`#${id}${what === undefined ? '' : `: ${what}`}`, true)}\n`);
    }
  }
  for (const { agent, text } of personas) {
    await io.out(`\n${style.bold(`The agent ${screenText(agent, true)} says in the system role:`)}\n`);
    await io.out(`${screenText(text, true).replace(/^/gm, '  ')}\n`);
  }
  await io.out('\n');
  for (const diagnostic of diagnostics) await io.out(problemLine(io, 'out', diagnostic));
  await io.out(`${count(diagnostics.length, 'warning')}\n${hash}\n`);
  if (integrity !== undefined) await io.out(style.dim(`integrity ${integrity}\n`));
  await io.out(accepted === undefined ? 'Nobody has accepted it.\n' : lineOf(accepted));
}

async function requirePackage({ io }: Call, named: string): Promise<FoundPackage> {
  const found = await openPackage(named, io.cwd);
  if (found !== undefined) return found;
  throw new Failure('PACKAGE_NOT_FOUND', `There is no folder or archive ${named}`, { exit: 1 });
}

async function requireStore({ flags, io }: Call): Promise<Acceptances> {
  const store = await openAcceptances(await workflowFolder(flags, io), io, 'rw');
  return store as Acceptances;
}
