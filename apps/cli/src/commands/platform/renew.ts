import { type RenewalReport, renewPlatform } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { count } from '../../output/style.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

/**
 * `cuebook platform renew`: makes again whatever the keys of the server may make and ends before long. Exit code 1 when
 * something waits for a person.
 */
export const renew: CommandHandler = async ({ args, flags, io }) => {
  if (args.length > 0) throw usage(`${hint`platform renew`} takes no name: it renews whatever is due`);
  return withPlatform(flags, io, async (platform) => {
    const report = requireDone(await renewPlatform(platform, byWhom(flags, io)), 'Nothing was renewed');
    if (isOn(flags, 'json')) await printJson(io, report);
    else await io.out(told(io, textOf(report)));
    return report.left.length === 0 ? 0 : 1;
  });
};

function textOf({ agents, places, topics, told: again, facts, swept, left }: RenewalReport): string {
  const counts: readonly (readonly [number, string])[] = [
    [agents.objects.length, 'bundle'],
    [agents.snapshot.length, 'snapshot'],
    [agents.timestamp.length, 'timestamp'],
    [places.length + again.length, 'place'],
    [topics.length, 'topic'],
    [facts, 'fact'],
  ];
  const renewed = counts.filter(([n]) => n > 0).map(([n, what]) => count(n, what));
  return [
    `Renewed ${renewed.length === 0 ? 'nothing: nothing ends before long' : renewed.join(', ')}\n`,
    swept.length === 0 ? '' : `Removed ${count(swept.length, 'heartbeat')} older than a week\n`,
    ...left.map(({ agent, reason }) => `${agent}  ${WHY[reason]}\n`),
  ].join('');
}

const WHY: Readonly<Record<RenewalReport['left'][number]['reason'], string>> = {
  unsigned: `stays as it is: its review is no longer valid. A reviewer signs it with: ${hint`card renew`}`,
  'not-in-library': `stays as it is: the library no longer lists its templates. Publish it with: ${hint`bundle publish`}`,
  changed: `is not renewed: the store does not hold what was written. Publish it with: ${hint`bundle publish --again`}`,
  pending: 'is not renewed: its card waits for a review',
  rejected: 'is not renewed: its card was rejected',
};
