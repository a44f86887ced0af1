import { readDraft } from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { hint } from '@cuebook/prompt/hint';
import { readYaml, withKeys } from '@cuebook/yaml';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { diagnosed, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { requireDone } from '../../platform/describe.js';
import { findProject } from '../../project/find.js';
import { requireFile } from '../../project/named-file.js';
import { wordsOfFlags } from './words.js';

/** `cuebook card edit NAME --bio TEXT ...`: changes what the flags name in `cards/NAME.yaml`; the rest stays. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const name = oneArgument(call, `the card: ${hint`card edit NAME --bio TEXT`}`);
  const path = `cards/${name}.yaml`;
  const files = requireFile(
    await openFolder(await findProject(io.cwd, flagValue(flags, 'project'))),
    'the project',
  );
  const text = requireFile(await files.readText(path), path);
  const yaml = readYaml(path, text, 'E_CARD');
  if (!yaml.ok) throw diagnosed(yaml.diagnostics);
  const before = yaml.value.value as Readonly<Record<string, unknown>>;
  const change = wordsOfFlags(flags, before);
  if (Object.keys(change).length === 0)
    throw usage(`Name what is to change, such as --bio TEXT; ${hint`help card`} lists the flags`);
  const card = { ...before, ...change };
  requireDone(readDraft(card), path);
  requireFile(await files.writeText(path, withKeys(text, change)), path);
  if (isOn(flags, 'json')) await printJson(io, { file: path, card });
  else await io.out(told(io, `Changed ${path}. Hand it in with: ${hint`card submit ${name}`}\n`));
  return 0;
};
