import { JOBS, listJobs, setJob } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

/** `cuebook platform schedule [JOB] [--off]`: what the server asks a model for by itself. */
export const schedule: CommandHandler = async ({ args: [named, ...more], flags, io }) => {
  const job = JOBS.find((known) => known === named);
  if (more.length > 0 || (named !== undefined && job === undefined))
    throw usage(`A job is one of ${JOBS.join(', ')}`);
  return withPlatform(flags, io, async (platform) => {
    if (job !== undefined) {
      const by = byWhom(flags, io);
      const [provider, model] = ['provider', 'model'].map((flag) => flagValue(flags, flag));
      const asked = { ...(provider && { provider }), ...(model && { model }) };
      requireDone(await setJob(platform, { job, on: !isOn(flags, 'off'), by, ...asked }), job);
    }
    const jobs = await listJobs(platform);
    if (isOn(flags, 'json')) await printJson(io, { jobs });
    else {
      for (const { job: name, on, provider, model } of jobs) {
        const whom = [provider, model].filter((each) => each !== undefined).join(' ');
        await io.out(
          `${name.padEnd(7)} ${on ? 'on ' : 'off'}  ${SAID[name]}${whom === '' ? '' : ` (${whom})`}\n`,
        );
      }
      await io.out(told(io, `The server does what is on: ${hint`up`}\n`));
    }
    return 0;
  });
};

const SAID = {
  event: 'asks once a week for the theme of the public event',
  groups: 'asks why the groups of a new agent may suit it',
} as const;
