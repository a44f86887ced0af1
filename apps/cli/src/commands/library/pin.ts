import { pinVersion, retireVersion, rollBackVersion } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { parseVersion } from '../../library/named-version.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { byWhom } from '../../platform/by-whom.js';
import { requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';

/** `cuebook library pin NAME@VERSION`: assigns it to everybody who is in no experiment about it. */
export const pin: CommandHandler = async (call) => {
  const { scenario, version } = requireNumber(call, hint`library pin greeting@2`);
  return settle(call, async (platform, by) => {
    const done = requireDone(await pinVersion(platform, { scenario, version, by }), `${scenario}@${version}`);
    return [done, `${scenario} is assigned in version ${version}`];
  });
};

/** `cuebook library rollback NAME[@VERSION]`: assigns what was assigned before it. */
export const rollback: CommandHandler = async (call) => {
  const named = oneArgument(call, `the version that is assigned now: ${hint`library rollback greeting@2`}`);
  const { id: scenario, version: from } = parseVersion(named);
  return settle(call, async (platform, by) => {
    const done = requireDone(await rollBackVersion(platform, { scenario, from, by }), scenario);
    return [done, `${scenario} is assigned in version ${done.version} again`];
  });
};

/** `cuebook library retire NAME@VERSION`: it goes with the next signature. */
export const retire: CommandHandler = async (call) => {
  const { flags, io } = call;
  const { scenario, version } = requireNumber(call, hint`library retire greeting@1`);
  return withPlatform(flags, io, async (platform) => {
    const name = `${scenario}@${version}`;
    requireDone(await retireVersion(platform, { scenario, version, by: byWhom(flags, io) }), name);
    if (isOn(flags, 'json')) await printJson(io, { version: name, retiring: true });
    else
      await io.out(
        told(
          io,
          `${name} goes with the next signature: ${hint`library request --out FILE`}. It stays readable\n`,
        ),
      );
    return 0;
  });
};

type Work = (platform: Parameters<typeof pinVersion>[0], by: string) => Promise<readonly [object, string]>;

const settle = ({ flags, io }: Call, work: Work): Promise<number> =>
  withPlatform(flags, io, async (platform) => {
    const [done, sentence] = await work(platform, byWhom(flags, io));
    if (isOn(flags, 'json')) await printJson(io, done);
    else await io.out(told(io, `${sentence}. Publish it to the agents with: ${hint`bundle publish`}\n`));
    return 0;
  });

function requireNumber(call: Call, example: string): { readonly scenario: string; readonly version: number } {
  const { id, version } = parseVersion(oneArgument(call, `the version: ${example}`));
  if (version === undefined) throw usage(`Name the version: ${example}`);
  return { scenario: id, version };
}
