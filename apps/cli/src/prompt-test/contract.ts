import { checkOutput, loadScenario, SCENARIOS } from '@cuebook/bundle';
import { parseTarget } from '@cuebook/profile';
import type { Bench } from '../project/bench.js';
import type { GivenAnswer } from './expect/answer.js';

/** What an answer breaks of the contract of its scenario; other targets have none. */
export async function contractError(
  { project }: Pick<Bench, 'project'>,
  target: string,
  text: string,
): Promise<GivenAnswer['error']> {
  const { prefix, name = '' } = parseTarget(target) ?? {};
  if (prefix !== 'scenario') return undefined;
  const own = await loadScenario(project, name);
  const scenario = own?.ok ? own.value.scenario : SCENARIOS.get(name);
  const checked = scenario && checkOutput(scenario, text);
  return checked === undefined || checked.ok
    ? undefined
    : { code: 'E_OUTPUT', message: checked.error.problems.join('; ') };
}
