import { type ComposedTarget, findTargets } from '@cuebook/profile';
import type { DiffSide, ReachTarget } from '@cuebook/prompt/diff';
import { runComposer, type ThreadComposer } from '@cuebook/thread';
import type { Bench } from './bench.js';

/** Every target of either side, each composed with its own examples, as its run would compose it. */
export async function composeAll(before: Bench, after: Bench): Promise<readonly ReachTarget[]> {
  const isOneSource = before.project === after.project;
  const [olds, nows] = [new Set(await findTargets(before)), new Set(await findTargets(after))];
  const [old, now] = [runComposer(before), runComposer(after)];
  try {
    const targets: ReachTarget[] = [];
    for (const target of new Set([...olds, ...nows])) {
      const was = olds.has(target) ? await sideOf(old, target) : undefined;
      const is = isOneSource ? was : nows.has(target) ? await sideOf(now, target) : undefined;
      targets.push({ target, before: was, after: is });
    }
    return targets;
  } finally {
    await Promise.all([old.close(), now.close()]);
  }
}

async function sideOf(composer: ThreadComposer, target: string): Promise<DiffSide | 'broken'> {
  const result = await composer.compose(target);
  return result.ok ? composedSide(result.value) : 'broken';
}

/** A composed target as one side of a comparison. */
export const composedSide = ({ prompt, tools, params, capabilities }: ComposedTarget): DiffSide => ({
  prompt,
  tools,
  params,
  ...(capabilities === undefined ? {} : { capabilities }),
});
