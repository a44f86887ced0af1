import { type ComposedTarget, composeTarget, findTargets } from '@cuebook/profile';
import { findReach, type Reach, type ReachTarget, type Subject } from '@cuebook/prompt/diff';
import { type Call, flagValues, type Handler, isOn } from '../command.js';
import { usage } from '../failure.js';
import { readInput } from '../input/flags.js';
import { diffText } from '../output/diff-text.js';
import { printJson } from '../output/json.js';
import { compareMasked } from '../output/masked-diff.js';
import { withProgress } from '../output/progress.js';
import { styleFor } from '../output/style.js';
import { type Bench, openBench } from '../project/bench.js';
import { type CalledTarget, composeWith, openCalled, requireTarget } from '../project/target.js';

/** `cuebook diff`: two prompts by origin, by obligation, and by which targets of the project are reached. */
export const run: Handler = async (call) => {
  const { flags, io } = call;
  const [before, after] = await openBoth(call);
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

/** Two targets of the project, or with `-f` twice one Agent as two sets of manifests tell it. */
async function openBoth({ args, flags, io }: Call): Promise<readonly [CalledTarget, CalledTarget]> {
  const [first, second] = args;
  const [old, now, ...more] = flagValues(flags, 'file');
  if (old !== undefined) {
    if (now === undefined || more.length > 0) throw usage('diff wants -f twice: before and after');
    const open = (file: string) => openCalled({ args, flags: { ...flags, file: [file] }, io });
    return [await open(old), await open(now)];
  }
  if (first === undefined || second === undefined) {
    throw usage('Missing target: diff wants two, such as sheet:review@HEAD~1 sheet:review, or -f twice');
  }
  const bench = await openBench(flags, io);
  return [await requireTarget(bench, first), await requireTarget(bench, second)];
}

const toSubject = ({ prompt, tools, params, capabilities }: ComposedTarget): Subject => ({
  prompt,
  tools,
  params,
  ...(capabilities === undefined ? {} : { capabilities }),
});

/** Every target of either side, each composed with its own examples, as its run would be without hooks. */
async function reachOf(
  before: CalledTarget,
  after: CalledTarget,
  origins: Parameters<typeof findReach>[0],
): Promise<readonly Reach[]> {
  const isOneSource = before.bench === after.bench;
  const [olds, nows] = [new Set(await findTargets(before.bench)), new Set(await findTargets(after.bench))];
  const targets: ReachTarget[] = [];
  for (const target of new Set([...olds, ...nows])) {
    const old = olds.has(target) ? await subjectOf(before.bench, target) : undefined;
    const now = isOneSource ? old : nows.has(target) ? await subjectOf(after.bench, target) : undefined;
    targets.push({ target, before: old, after: now });
  }
  return findReach(origins, targets);
}

async function subjectOf(bench: Bench, target: string): Promise<Subject | 'broken'> {
  const result = await composeTarget(bench, target);
  return result.ok ? toSubject(result.value) : 'broken';
}
