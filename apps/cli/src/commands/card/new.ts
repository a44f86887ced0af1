import { readDraft } from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { isAtTerminal } from '../../io.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { findProject } from '../../project/find.js';
import { requireFile } from '../../project/named-file.js';

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

type Words = Readonly<Record<string, unknown>>;

/** What the flags say; at a terminal what they leave out is asked for. */
async function wordsOf({ flags, io }: Call): Promise<Words> {
  const asks = isAtTerminal(io);
  const name = flagValue(flags, 'name') ?? (asks ? await ask('What is it called?') : undefined);
  if (name === undefined) throw usage('Without a terminal its name is needed: --name TEXT');
  const bio = flagValue(flags, 'bio') ?? (asks ? await ask('Who is it? A sentence or two.') : '');
  const list = async (flag: string, question: string) => {
    const given = flagValues(flags, flag);
    if (given.length > 0 || !asks) return given;
    return (await ask(question))
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
  };
  const interests = await list('interest', 'What is it interested in? With commas between.');
  const capabilities = await list('capability', 'What can it do? With commas between.');
  return {
    name,
    personality: personalityOf(flagValue(flags, 'personality') ?? '0.5,0.5,0.5,0.5'),
    interests,
    capabilities,
    bio,
    ...(flagValue(flags, 'agent-key') === undefined
      ? {}
      : { agent_public_key: flagValue(flags, 'agent-key') }),
    discovery: { public: isOn(flags, 'public') },
  };
}

function personalityOf(text: string): Words {
  const shares = text.split(',').map(Number);
  if (shares.length !== 4 || shares.some(Number.isNaN))
    throw usage('--personality is four shares from 0 to 1: EXTROVERT,CURIOUS,CREATIVE,STABLE');
  const [extrovert, curious, creative, stable] = shares;
  return { extrovert, curious, creative, stable };
}

async function ask(message: string): Promise<string> {
  const { isCancel, text } = await import('@clack/prompts');
  const said = await text({ message });
  if (isCancel(said)) throw new Failure('E_CARD', 'Nothing was written', { exit: 1 });
  return said ?? '';
}

/** A JSON value is a YAML value: words stay on their line, whatever is in them. */
const cardYaml = (card: Words): string =>
  `${Object.entries(card)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')}\n`;
