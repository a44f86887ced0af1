import { type Call, flagValue, isOn } from '../command.js';
import { AGENTS_FILE } from '../commands/card/export.js';
import { Failure } from '../failure.js';
import { printJson } from '../output/json.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { requireNewFile, writeNamedFile } from '../record/named-output.js';
import { openAgentDesk } from './desk.js';
import { requireAgent } from './home.js';

/** `cuebook agent export [--out FILE]`: the base prompt of the verified bundle as a file, AGENTS.md by default. */
export async function exportAgent(call: Call): Promise<number> {
  const { flags, io } = call;
  const home = await requireAgent(call);
  const out = flagValue(flags, 'out') ?? AGENTS_FILE;
  await requireNewFile(io, out);
  return withOpened(await journalPlace(flags, io), async (journal) => {
    const accepted = await (await openAgentDesk(home, journal)).accepted(Date.now());
    if (accepted === undefined)
      throw new Failure('E_RESIDENT', 'There is no verified bundle to export: sync first.', { exit: 1 });
    const { bundle, card } = accepted;
    await writeNamedFile(io, out, Buffer.from(bundle.base_prompt));
    const facts = { agent: home.file.agent, file: out, cardVersion: card.card_version };
    if (isOn(flags, 'json')) await printJson(io, { ...facts, bundleVersion: bundle.bundle_version });
    else await io.out(`Wrote ${out} from bundle ${bundle.bundle_version}, card ${card.card_version}\n`);
    return 0;
  });
}
