import { type ComposedTarget, composeTarget, findTargets } from '@cuebook/profile';
import { findReach, type Prompt, type Reach, type ReachTarget } from '@cuebook/prompt';
import { type Handler, isOn } from '../command.js';
import { readInput } from '../input/flags.js';
import { diffText } from '../output/diff-text.js';
import { printJson } from '../output/json.js';
import { compareMasked } from '../output/masked-diff.js';
import { withProgress } from '../output/progress.js';
import { styleFor } from '../output/style.js';
import { type Bench, openBench } from '../project/bench.js';
import { type CalledTarget, composeWith, requireTarget } from '../project/target.js';

/** `cuebook diff`: two prompts by origin, by obligation, and by which targets of the project are reached. */
export const run: Handler = async ({ args, flags, io }) => {
  const bench = await openBench(flags, io);
  const before = await requireTarget(bench, args[0] ?? '');
  const after = await requireTarget(bench, args[1] ?? '');
  const input = await readInput(before.profile, flags, io);
  if (after.profile !== before.profile) await readInput(after.profile, flags, io);
  const [old, now] = [await composeWith(before, input), await composeWith(after, input)];
  const diff = compareMasked(toSubject(old), toSubject(now), { reveal: isOn(flags, 'reveal') });
  const reach = await withProgress(io, 'Composing every target', reachOf(before, after, diff.origins));
  const answer = { before: old.target, after: now.target, ...diff, reach };
  if (isOn(flags, 'json')) await printJson(io, answer);
  else await io.out(diffText(answer, { style: styleFor(io, 'out'), isTerminal: io.terminal.out }));
  return 0;
};

const toSubject = ({ prompt, tools, capabilities }: ComposedTarget) => ({
  prompt,
  tools: tools.map((tool) => tool.name),
  capabilities,
});

/** Every target of either side, each composed with its own examples; one that does not compose is absent. */
async function reachOf(
  before: CalledTarget,
  after: CalledTarget,
  origins: Parameters<typeof findReach>[0],
): Promise<readonly Reach[]> {
  const isOneSource = before.bench === after.bench;
  const names = new Set([...(await findTargets(before.bench)), ...(await findTargets(after.bench))]);
  const targets: ReachTarget[] = [];
  for (const target of names) {
    const old = await promptOf(before.bench, target);
    const now = isOneSource ? old : await promptOf(after.bench, target);
    if (old !== undefined || now !== undefined) targets.push({ target, before: old, after: now });
  }
  return findReach(origins, targets);
}

async function promptOf(bench: Bench, target: string): Promise<Prompt | undefined> {
  const result = await composeTarget(bench, target);
  return result.ok ? result.value.prompt : undefined;
}
