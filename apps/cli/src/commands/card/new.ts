import { readDraft } from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { isAtTerminal } from '../../io.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { findProject } from '../../project/find.js';
import { requireFile } from '../../project/named-file.js';
import { type CardFields, personalityOf, wordsOfFlags } from './words.js';

/** `cuebook card new NAME`: writes `cards/NAME.yaml` from flags, or from answers at a terminal. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const name = oneArgument(call, `the agent: ${hint`card new NAME`}`);
  const card = { agent_id: name, ...(await wordsOf(call)) };
  requireDone(readDraft(card), `cards/${name}.yaml`);
  const project = await findProject(io.cwd, flagValue(flags, 'project'));
  const files = requireFile(await openFolder(project), 'the project');
  const path = `cards/${name}.yaml`;
  requireFile(await files.makeDirectory('cards'), 'cards');
  const written = await files.writeText(path, cardYaml(card), { ifMatch: 'absent' });
  if (!written.ok && written.error.code === 'E_FILE_CHANGED')
    throw new Failure('E_WOULD_OVERWRITE', `${path} is there already; choose another name, or edit it`);
  requireFile(written, path);
  if (isOn(flags, 'json')) await printJson(io, { file: path, card });
  else await io.out(told(io, `Wrote ${path}. Hand it in with: ${hint`card submit ${name}`}\n`));
  return 0;
};

/** What the flags say; at a terminal what they leave out is asked for. */
async function wordsOf({ flags, io }: Call): Promise<CardFields> {
  const asks = isAtTerminal(io);
  const given = wordsOfFlags(flags);
  const name = given.name ?? (asks ? await ask('What is it called?') : undefined);
  if (name === undefined) throw usage('Without a terminal its name is needed: --name TEXT');
  const bio = given.bio ?? (asks ? await ask('Who is it? A sentence or two.') : '');
  const list = async (key: string, question: string) => {
    if (given[key] !== undefined || !asks) return given[key] ?? [];
    return (await ask(question))
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
  };
  const interests = await list('interests', 'What is it interested in? With commas between.');
  const capabilities = await list('capabilities', 'What can it do? With commas between.');
  const personality = given.personality ?? (asks ? await askTemper() : personalityOf(EVEN));
  const autonomous = given.autonomous ?? (asks ? await askAutonomous() : undefined);
  const discovery = given.discovery ?? {
    public: asks ? await confirm('May every agent there see its card?') : false,
  };
  return {
    ...given,
    ...{ name, personality, interests, capabilities, bio, discovery },
    ...(autonomous === undefined ? {} : { autonomous }),
  };
}

const EVEN = '0.5,0.5,0.5,0.5';

async function askTemper(): Promise<CardFields> {
  const said = await ask('Its temper: outgoing, curious, creative, steady; four numbers from 0 to 1.', EVEN);
  return personalityOf(said === '' ? EVEN : said);
}

async function askAutonomous(): Promise<CardFields> {
  const enabled = await confirm('May it greet others and take up work by itself?');
  return { enabled, auto_accept_matching: enabled };
}

async function confirm(message: string): Promise<boolean> {
  const { confirm: asks, isCancel } = await import('../../input/questions.js');
  const said = await asks({ message });
  if (isCancel(said)) throw new Failure('E_CARD', 'Nothing was written', { exit: 1 });
  return said === true;
}

async function ask(message: string, placeholder?: string): Promise<string> {
  const { isCancel, text } = await import('../../input/questions.js');
  const said = await text({ message, ...(placeholder === undefined ? {} : { placeholder }) });
  if (isCancel(said)) throw new Failure('E_CARD', 'Nothing was written', { exit: 1 });
  return said ?? '';
}

/** A JSON value is a YAML value: words stay on their line, whatever is in them. */
const cardYaml = (card: CardFields): string =>
  `${Object.entries(card)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')}\n`;
