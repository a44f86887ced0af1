import { recommendGroups, saveCard, viewCard } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { diagnosed } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { statusText } from '../../platform/card-text.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { findProject } from '../../project/find.js';
import { readNamedFile } from '../../project/named-file.js';

/** `cuebook card submit NAME`: hands `cards/NAME.yaml` in. A change asks for a new review. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const name = oneArgument(call, `the card: ${hint`card submit NAME`}`);
  const project = await findProject(io.cwd, flagValue(flags, 'project'));
  const path = `cards/${name}.yaml`;
  const text = await readNamedFile(project, path);
  const [{ cardDraftSchema }, { readShape, readYaml }] = await Promise.all([
    import('@cuebook/bundle'),
    import('@cuebook/yaml'),
  ]);
  const yaml = readYaml(path, text, 'E_CARD');
  if (!yaml.ok) throw diagnosed(yaml.diagnostics);
  const draft = readShape(yaml.value, cardDraftSchema, 'E_CARD');
  if (!draft.ok) throw diagnosed(draft.diagnostics);
  return withPlatform(flags, io, async (platform) => {
    const saved = requireDone(await saveCard(platform, byWhom(flags, io), draft.value), name);
    const view = viewCard(saved);
    const groups = requireDone(await recommendGroups(platform, view.agent), name);
    if (isOn(flags, 'json')) await printJson(io, { ...view, groups });
    else {
      await io.out(`${view.agent} version ${view.cardVersion}: ${statusText(view)}\n`);
      for (const { group_id, score } of groups) await io.out(`May suit it: circle/${group_id} (${score})\n`);
      if (view.status === 'pending') await io.out(told(io, `Next, a reviewer runs: ${hint`card review`}\n`));
    }
    return 0;
  });
};
