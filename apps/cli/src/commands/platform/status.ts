import { isId } from '@cuebook/bundle';
import {
  compareOutcomes,
  findLibrary,
  listAgents,
  listExperiments,
  listPlaces,
  readAudit,
  viewScenarios,
} from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { count } from '../../output/style.js';
import { withPlatform } from '../../platform/open.js';
import { scenarioLine } from '../../platform/scenario-line.js';
import { timeText } from '../../record/event-text.js';

/** `cuebook platform`: what is active, and what waits. */
export const status: CommandHandler = async ({ flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    const agents = await listAgents(platform);
    const scenarios = viewScenarios(await findLibrary(platform));
    const places = (await listPlaces(platform)).map(({ place }) => place);
    const experiments = [];
    for (const experiment of await listExperiments(platform))
      experiments.push({ ...experiment, outcomes: await compareOutcomes(platform, experiment.id) });
    const pending = agents.filter(({ review }) => review.status === 'pending').length;
    const published = agents.filter((agent) => agent.published !== undefined).length;
    const admitted = agents.filter(({ admission }) => admission.status === 'admitted').length;
    const asking = agents.flatMap(({ agent, admission }) =>
      admission.asked !== undefined && admission.status !== 'admitted' ? [agent] : [],
    );
    const facts = { name: platform.name, cards: agents.length, pending, published, admitted, asking };
    if (isOn(flags, 'json')) {
      await printJson(io, { ...facts, scenarios, places, experiments });
      return 0;
    }
    await io.out(
      `${platform.name}: ${count(agents.length, 'card')}, ${pending} waiting for review, ${published} published, ${admitted} admitted\n`,
    );
    for (const agent of asking)
      await io.out(
        told(io, `${agent} asks to be admitted. Let it in with: ${hint`platform admit ${agent}`}\n`),
      );
    for (const scenario of scenarios) await io.out(`${scenarioLine(scenario)}\n`);
    for (const { id, scenario, share, rollout, outcomes } of experiments) {
      const ended = rollout === undefined || rollout.status === 'running' ? '' : `, ${rollout.status}`;
      await io.out(`experiment ${id} on ${scenario}, share ${share}${ended}\n`);
      for (const { metric, arms, verdict } of outcomes)
        await io.out(
          `  ${metric}: control ${arms.control.count}, candidate ${arms.candidate.count}, ${verdict}\n`,
        );
    }
    return 0;
  });

/** `cuebook platform root`: the root that an agent's trust starts from, for its `root.json`. Hand it over a way that is trusted. */
export const root: CommandHandler = async ({ flags, io }) =>
  withPlatform(flags, io, async ({ trust }) => {
    // Without a line break: there is one form of it, and agents take no other.
    await io.out(trust.root.bytes.toString('utf8'));
    return 0;
  });

/** `cuebook platform audit [--agent NAME] [--after POSITION]`: admissions, credentials, reviews, publications, tokens. */
export const audit: CommandHandler = async ({ flags, io }) => {
  const agent = flagValue(flags, 'agent');
  const after = Number(flagValue(flags, 'after') ?? 0);
  if (agent !== undefined && !isId(agent)) throw usage('--agent NAME is the id of an agent');
  if (!Number.isSafeInteger(after) || after < 0) throw usage('--after POSITION is a whole number');
  return withPlatform(flags, io, async (platform) => {
    const entries = await readAudit(platform, { after, ...(agent === undefined ? {} : { agent }) });
    if (isOn(flags, 'json')) await printJson(io, { entries });
    else
      for (const { position, at, type, agent: of = '', data } of entries)
        await io.out(`${position}  ${timeText(at)}  ${type}  ${of}  ${summary(data)}\n`);
    return 0;
  });
};

/** One line of an entry: its plain members, times as times, and what a credential is for. */
const summary = (data: unknown): string =>
  Object.entries((data ?? {}) as Record<string, unknown>)
    .flatMap(([key, value]) => {
      if (key === 'purpose' && typeof value === 'object' && value !== null)
        return [`for=${Object.values(value).join('/')}`];
      if (typeof value === 'object') return [];
      const isTime = typeof value === 'number' && /(?:^at|At|_at)$/.test(key);
      return [`${key}=${isTime ? timeText(value) : String(value).slice(0, 60)}`];
    })
    .join(' ');
