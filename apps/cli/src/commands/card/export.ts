import { basePrompt, loadCards } from '@cuebook/bundle';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { diagnosed, Failure } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { openBench } from '../../project/bench.js';
import { requireNewFile, writeNamedFile } from '../../record/named-output.js';

/** `cuebook card export NAME [--out FILE]`: the base prompt of `cards/NAME.yaml` as a file, AGENTS.md by default. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const name = oneArgument(call, `the card: ${hint`card export NAME --out AGENTS.md`}`);
  const { files } = await openBench(flags, io);
  const card = (await loadCards(files)).get(name);
  if (card === undefined)
    throw new Failure('E_CARD', `There is no cards/${name}.yaml; write it with ${hint`card new ${name}`}`, {
      exit: 1,
    });
  if (!card.ok) throw diagnosed(card.diagnostics);
  const out = flagValue(flags, 'out') ?? AGENTS_FILE;
  await requireNewFile(io, out);
  const text = basePrompt(card.value.draft);
  await writeNamedFile(io, out, Buffer.from(text));
  if (isOn(flags, 'json')) await printJson(io, { card: name, file: out });
  else await io.out(`Wrote ${out}: what ${name} is told about itself in every scenario\n`);
  return 0;
};

/** What agents of many makes read in a folder. */
export const AGENTS_FILE = 'AGENTS.md';
