import { type CommandHandler, isOn } from '../../command.js';
import { printJson } from '../../output/json.js';
import { withPlatform } from '../../platform/open.js';

/** `cuebook bundle keys`: the public keys of every role. */
export const keys: CommandHandler = async ({ flags, io }) =>
  withPlatform(flags, io, async ({ config }) => {
    const { keys: known, versions, name } = config;
    if (isOn(flags, 'json')) await printJson(io, { name, keys: known, versions });
    else {
      await io.out(
        `${name}, root version ${versions.root}: ${known.threshold} of ${known.root.length} must agree\n`,
      );
      for (const key of known.root) await io.out(`root      ${key}\n`);
      await io.out(`library   ${known.library}\n`);
      if (known.reviewers.length > 1)
        await io.out(`${known.reviewer_threshold} of ${known.reviewers.length} reviewers must agree\n`);
      for (const key of known.reviewers) await io.out(`reviewer  ${key}\n`);
      for (const role of ['online', 'log'] as const) await io.out(`${role.padEnd(9)} ${known[role]}\n`);
    }
    return 0;
  });
