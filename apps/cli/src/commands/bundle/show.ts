import { listAgents, type OpenPlatform, verifyPublished, viewPublished } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { oneArgument } from '../../platform/action.js';
import { describeRefusal, type PlatformRefusal, requireDone } from '../../platform/describe.js';
import { withPlatform } from '../../platform/open.js';
import { scenarioLine } from '../../platform/scenario-line.js';

/** `cuebook bundle list`: what is published, with the version of each scenario. */
export const list: CommandHandler = async ({ args, flags, io }) => {
  if (args.length > 0)
    throw usage(`${hint`bundle list`} takes no name; ${hint`bundle verify NAME`} checks one`);
  return withPlatform(flags, io, async (platform) => {
    const bundles = (await listAgents(platform)).flatMap(({ agent, published }) =>
      published === undefined
        ? []
        : [{ agent, ...viewPublished(published), at: new Date(published.at).toISOString() }],
    );
    if (isOn(flags, 'json')) await printJson(io, { bundles });
    else if (bundles.length === 0)
      await io.out(told(io, `Nothing is published. Publish with: ${hint`bundle publish`}\n`));
    else
      for (const { agent, version, cardVersion, cohorts, at } of bundles) {
        const arms = Object.values(cohorts);
        await io.out(
          `${agent}  version ${version}  card ${cardVersion}  ${at}${arms.length > 0 ? `  ${arms.join(', ')}` : ''}\n`,
        );
      }
    return 0;
  });
};

/** `cuebook bundle verify [NAME]`: what agents would find now, checked as they check it. Exit code 1 for any no. */
export const verify: CommandHandler = async ({ args, flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    const names = args.length > 0 ? args : await publishedNames(platform);
    const results = [];
    for (const agent of names) {
      const found = await verifyPublished(platform, agent);
      results.push(
        found.ok
          ? { agent, ok: true, ...found.value }
          : {
              agent,
              ok: false,
              code: found.error.code,
              problem: describeRefusal(found.error as unknown as PlatformRefusal),
            },
      );
    }
    if (results.length === 0)
      throw new Failure('E_PUBLISH', `Nothing is published. Publish with: ${hint`bundle publish`}`, {
        exit: 1,
      });
    if (isOn(flags, 'json')) await printJson(io, { bundles: results });
    else
      for (const result of results)
        await io.out(
          'problem' in result
            ? `${result.agent}  ${result.code} ${result.problem}\n`
            : `${result.agent}  valid, version ${result.bundleVersion}, card ${result.cardVersion}\n`,
        );
    return results.every(({ ok }) => ok) ? 0 : 1;
  });

/** `cuebook bundle show NAME`: what an agent is told in each scenario, and with which parameters, from what verifies now. */
export const show: CommandHandler = async (call) => {
  const { flags, io } = call;
  const agent = oneArgument(call, `the agent: ${hint`bundle show NAME`}`);
  return withPlatform(flags, io, async (platform) => {
    const found = requireDone(await verifyPublished(platform, agent), agent);
    if (isOn(flags, 'json')) {
      await printJson(io, { agent, ...found });
      return 0;
    }
    await io.out(`${agent}  version ${found.bundleVersion}, card ${found.cardVersion}\n`);
    for (const { id, version, preset } of found.scenarios) {
      const arm = found.cohorts[id];
      await io.out(`${scenarioLine({ id, version, preset })}${arm === undefined ? '' : `  ${arm}`}\n`);
    }
    return 0;
  });
};

const publishedNames = async (platform: OpenPlatform): Promise<readonly string[]> =>
  (await listAgents(platform)).filter(({ published }) => published !== undefined).map(({ agent }) => agent);
