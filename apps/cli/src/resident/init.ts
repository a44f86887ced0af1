import { resolve } from 'node:path';
import { isId } from '@cuebook/bundle';
import { type Files, openFolder } from '@cuebook/files';
import { CONFIG_FILE } from '@cuebook/profile';
import { hint } from '@cuebook/prompt/hint';
import {
  AGENT_FILE,
  INVITATION_FORMAT,
  type Invitation,
  readAgentFile,
  readInvitation,
} from '@cuebook/resident';
import { printYaml, withKeys } from '@cuebook/yaml';
import { type Call, flagValue, isOn } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import { told } from '../hint/typed.js';
import { type Io, isAtTerminal } from '../io.js';
import { printJson } from '../output/json.js';
import { readNamedFile, requireFile } from '../project/named-file.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { keepKey } from './key.js';

/**
 * `cuebook agent init [INVITATION]`: the folder of an agent, from the invitation of its platform; without one from flags
 * or, at a terminal, from answers. Nothing that is there already is changed.
 */
export async function initAgent(call: Call): Promise<number> {
  const { args, flags, io } = call;
  const at = resolve(io.cwd, flagValue(flags, 'project') ?? '.');
  const folder = requireFile(await openFolder(at, { create: true }), 'the folder');
  if (requireFile(await folder.exists(AGENT_FILE), AGENT_FILE))
    throw new Failure('E_WOULD_OVERWRITE', `${AGENT_FILE} is there already: an agent lives in this folder.`, {
      exit: 1,
    });
  const invitation = args[1] === undefined ? await askInvitation(call) : await invitationIn(io, args[1]);
  const { agent, platform, log, root } = invitation;
  const lives = livesOf(call);
  const text = printYaml({ agent, platform, log, ...lives });
  const read = readAgentFile(text);
  if (!read.ok) throw diagnosed(read.diagnostics);
  const provider = await providerFor(call);
  const config = await keepConfig(folder, agent, provider);
  await keepNew(folder, 'root.json', root);
  const key = await withOpened(await journalPlace(flags, io), ({ home }) => keepKey(home, agent));
  // Last: a folder without it is no agent's, and the same command goes on there.
  requireFile(await folder.writeText(AGENT_FILE, text, { ifMatch: 'absent' }), AGENT_FILE);
  const files = [AGENT_FILE, 'root.json', ...(config ? [CONFIG_FILE] : [])];
  if (isOn(flags, 'json')) await printJson(io, { agent, platform, publicKey: key, files });
  else await io.out(told(io, report(agent, files, key, provider)));
  return 0;
}

async function invitationIn(io: Io, named: string): Promise<Invitation> {
  const invitation = readInvitation(await readNamedFile(io.cwd, named));
  if (invitation !== undefined) return invitation;
  throw new Failure('E_AGENT_FILE', `${named} is no invitation; ${hint`platform invite NAME`} writes one.`);
}

/** The same from flags; at a terminal what they leave out is asked for. */
async function askInvitation({ flags, io }: Call): Promise<Invitation> {
  const asks = isAtTerminal(io);
  const value = async (flag: string, question: string): Promise<string> => {
    const given = flagValue(flags, flag) ?? (asks ? await ask(question) : undefined);
    if (given !== undefined) return given;
    throw usage(
      `Name the invitation that ${hint`platform invite NAME`} wrote: ${hint`agent init FILE`}; or say --agent, --platform, --log and --root`,
    );
  };
  const agent = await value('agent', 'The id of the agent, as on its card');
  if (!isId(agent)) throw usage('An agent has a name of a-z, 0-9, - and _');
  const platform = await value('platform', 'The address of the platform’s server');
  const log = await value('log', 'The name of the platform');
  const root = await readNamedFile(io.cwd, await value('root', 'The file with the platform’s root'));
  return { format: INVITATION_FORMAT, agent, platform, log, root };
}

/** How it lives, as far as the flags say. */
function livesOf({ flags }: Call): Readonly<Record<string, unknown>> {
  const number = (flag: string, key: string) => {
    const value = flagValue(flags, flag);
    return value === undefined ? {} : { [key]: Number(value) };
  };
  const zone = flagValue(flags, 'time-zone');
  return {
    ...(zone === undefined ? {} : { zone }),
    ...number('report-hour', 'report_hour'),
    ...number('poll-seconds', 'poll_seconds'),
  };
}

/** Who speaks: named by the flag, or at a terminal; nobody otherwise, and then the agent says nothing. */
async function providerFor({ flags, io }: Call): Promise<string | undefined> {
  const given = flagValue(flags, 'provider');
  if (given !== undefined || !isAtTerminal(io)) return given;
  const said = await ask('Provider of it? A provider such as anthropic or claude; empty for nobody yet');
  return said === '' ? undefined : said;
}

/** The configuration of the folder names who speaks; answers whether it was written. */
async function keepConfig(folder: Files, agent: string, provider: string | undefined): Promise<boolean> {
  const change = provider === undefined ? {} : { provider };
  if (!requireFile(await folder.exists(CONFIG_FILE), CONFIG_FILE)) {
    const text = `# The folder of ${agent}: see ${AGENT_FILE}.\n`;
    const whole = provider === undefined ? text : `${text}${printYaml(change)}`;
    requireFile(await folder.writeText(CONFIG_FILE, whole, { ifMatch: 'absent' }), CONFIG_FILE);
    return true;
  }
  if (provider === undefined) return false;
  const before = requireFile(await folder.readText(CONFIG_FILE), CONFIG_FILE);
  requireFile(await folder.writeText(CONFIG_FILE, withKeys(before, change)), CONFIG_FILE);
  return true;
}

/** Writes a file; one that is there must say the same. */
async function keepNew(folder: Files, path: string, text: string): Promise<void> {
  const there = await folder.readText(path);
  if (there.ok && there.value === text) return;
  if (there.ok)
    throw new Failure('E_WOULD_OVERWRITE', `${path} is there already, and is another one.`, { exit: 1 });
  requireFile(await folder.writeText(path, text, { ifMatch: 'absent' }), path);
}

async function ask(message: string): Promise<string> {
  const { isCancel, text } = await import('../input/questions.js');
  const said = await text({ message });
  if (isCancel(said)) throw new Failure('E_AGENT_FILE', 'Nothing was written', { exit: 1 });
  return said ?? '';
}

function report(agent: string, files: readonly string[], key: string, provider: string | undefined): string {
  const speaks =
    provider === undefined
      ? `It has no provider yet: ${hint`providers`} lists who can; name one with --provider, or \`provider:\` in ${CONFIG_FILE}.\n`
      : '';
  return `Wrote ${files.join(', ')}, and made the key of ${agent}.\nIn the project with its card, put the key on it: ${hint`card edit ${agent} --agent-key ${key}`}, then ${hint`card submit ${agent}`}.\nIn this folder, when the card is published: ${hint`agent`}\n${speaks}`;
}
