import { publishApproved } from '@cuebook/platform';
import { type CommandHandler, isOn } from '../../command.js';
import { printJson } from '../../output/json.js';
import { count } from '../../output/style.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

/** `cuebook bundle publish [NAME...]`: everything that is approved and not published as it is. */
export const publish: CommandHandler = async ({ args, flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    const report = requireDone(
      await publishApproved(platform, {
        by: byWhom(flags, io),
        again: isOn(flags, 'again'),
        ...(args.length === 0 ? {} : { agents: args }),
      }),
      'Nothing was published',
    );
    if (isOn(flags, 'json')) await printJson(io, report);
    else {
      for (const { agent, version } of report.published) await io.out(`${agent}  published as ${version}\n`);
      for (const { agent, reason } of report.left)
        await io.out(`${agent}  left out: ${reason === 'unsigned' ? 'no signed review' : reason}\n`);
      await io.out(
        `${count(report.published.length, 'bundle')} published, ${report.unchanged.length} unchanged\n`,
      );
    }
    return report.left.length === 0 ? 0 : 1;
  });
