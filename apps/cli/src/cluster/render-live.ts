import { composeTarget } from '@cuebook/profile';
import { type Call, isOn } from '../command.js';
import { documentOf, print } from '../commands/render.js';
import { usage } from '../failure.js';
import { diffText } from '../output/diff-text.js';
import { printJson } from '../output/json.js';
import { compareMasked } from '../output/masked-diff.js';
import { styleFor } from '../output/style.js';
import { composeWith } from '../project/target.js';
import { benchOf, openLiveCalled } from './live.js';

/** `cuebook render --cluster`: an Agent as it would be told, and what that changes of what it is told now. */
export async function renderLive(call: Call): Promise<number> {
  const { flags, io } = call;
  if (isOn(flags, 'watch')) throw usage('--watch looks at files, not at a cluster');
  const { called, live, name } = await openLiveCalled(call);
  const after = await composeWith(called, undefined);
  const { podChanges } = await import('@cuebook/operator');
  const pods = podChanges(live.before.objects, live.after.objects).get(name) ?? 'stay';
  const old = await composeTarget(benchOf(live.bench, live.before.manifests), called.text);
  const diff = old.ok ? compareMasked(old.value, after, { reveal: isOn(flags, 'reveal') }) : undefined;
  const isThere = live.before.manifests.agents.has(name);
  const change = diff === undefined ? (isThere ? 'fixed' : 'added') : diff.same ? 'same' : 'changed';
  const document = await documentOf(call, async () => after);
  if (isOn(flags, 'json')) {
    await printJson(io, { ...document, cluster: { agent: name, change, pods, ...(diff && { diff }) } });
    return 0;
  }
  await print(call, document);
  const shown = { style: styleFor(io, 'out'), isTerminal: io.terminal.out };
  const told =
    diff === undefined
      ? `${called.text} ${isThere ? 'cannot be resolved as it is in the cluster' : 'is not in the cluster yet'}\n`
      : diffText({ before: `${called.text} in the cluster`, after: 'applied', ...diff, reach: [] }, shown);
  await io.out(`\n${told}Pods: ${pods}\n`);
  return 0;
}
