import { compose, createRedactor, describeRefusal } from '@cuebook/prompt';
import { composeScenario } from './compose.js';
import { narrowingProblems } from './narrow.js';
import type { OutputContract, Scenario, ScenarioPlaceholder } from './scenario.js';
import { fillTemplate } from './template.js';

/** What is wrong with a scenario as it is written, before anybody is asked for it. Empty: it can be used. */
export function scenarioProblems(scenario: Scenario): readonly string[] {
  const { template, placeholders, output } = scenario;
  const names = placeholders.map(({ name }) => name);
  const used = new Set([...template.matchAll(/\{([a-z][a-z0-9_]*)\}/g)].map(([, name = '']) => name));
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  const examples = Object.fromEntries(placeholders.map(({ name, example }) => [name, example]));
  const filled = twice.length > 0 ? undefined : fillTemplate(scenario, examples);
  return [
    ...(template.trim() === '' ? ['template has no words'] : []),
    ...(template.isWellFormed() && scenario.summary.isWellFormed()
      ? []
      : ['template and summary hold whole characters']),
    ...twice.map((name) => `placeholders: "${name}" is declared twice`),
    ...[...used]
      .filter((name) => !names.includes(name))
      .map((name) => `template: {${name}} is not declared in placeholders`),
    ...placeholders
      .filter(({ name, required }) => required && !used.has(name))
      .map(({ name }) => `placeholders: "${name}" is required and stands nowhere in the template`),
    ...placeholders.filter(isFenced).flatMap(({ name }) => lineProblems(template, name)),
    ...(filled === undefined || filled.ok
      ? []
      : filled.error.problems.map(
          ({ name, problem }) => `placeholders: the example of "${name}" is ${problem}`,
        )),
    ...(output.format === 'text' && output.min > output.max ? ['output: min is above max'] : []),
    ...(filled?.ok === true ? gateProblems(scenario, examples) : []),
  ];
}

/** What the gates refuse of it, whoever is asked: a structure that only machines may write, a credential. */
function gateProblems(scenario: Scenario, values: Readonly<Record<string, string>>): readonly string[] {
  const blocks = composeScenario({ scenario, values });
  const composed = blocks.ok
    ? compose({ blocks: blocks.value, hash: () => 'sha256:', redactor: REDACTOR })
    : undefined;
  return composed === undefined || composed.ok
    ? []
    : composed.error.map((refusal) => `template: ${describeRefusal(refusal)}`);
}

const REDACTOR = createRedactor({ roots: [], private: [], names: [] });

/**
 * Why a new version would not do for agents that were made for the version before: they hand in what that one
 * declares, and read what it promises. Empty: they go on with either.
 */
export function versionProblems(before: Scenario, after: Scenario): readonly string[] {
  const problems: string[] = [];
  if (before.side !== after.side) problems.push(`side stays ${before.side}`);
  const declared = new Map(after.placeholders.map((placeholder) => [placeholder.name, placeholder]));
  for (const old of before.placeholders) {
    const own = declared.get(old.name);
    if (own === undefined) problems.push(`placeholders: "${old.name}" is missing; agents hand it in`);
    else problems.push(...placeholderProblems(old, own));
  }
  const known = new Set(before.placeholders.map(({ name }) => name));
  for (const { name } of after.placeholders)
    if (!known.has(name)) problems.push(`placeholders: "${name}" is new; agents do not hand it in`);
  return [...problems, ...outputProblems(before.output, after.output)];
}

const isFenced = ({ kind }: ScenarioPlaceholder): boolean => kind === 'view' || kind === 'text';

/** A fence stands on lines of its own. */
const lineProblems = (template: string, name: string): readonly string[] =>
  template.split('\n').some((line) => line.includes(`{${name}}`) && line.trim() !== `{${name}}`)
    ? [`template: {${name}} stands on a line of its own`]
    : [];

function placeholderProblems(before: ScenarioPlaceholder, after: ScenarioPlaceholder): readonly string[] {
  const at = `placeholders: "${before.name}"`;
  return [
    ...(before.kind === after.kind ? [] : [`${at} stays a ${before.kind}`]),
    // Who could have written the words does not depend on the template.
    ...(before.trust === after.trust ? [] : [`${at} keeps the trust ${before.trust}`]),
    ...(after.required && !before.required ? [`${at} stays optional; agents may leave it out`] : []),
  ];
}

function outputProblems(before: OutputContract, after: OutputContract): readonly string[] {
  if (before.format !== after.format) return [`output stays ${before.format}`];
  if (before.format === 'json' || after.format === 'json')
    return before.format === 'json' && after.format === 'json'
      ? narrowingProblems(before.shape, after.shape, 'output')
      : [];
  return [
    ...(after.min < before.min ? [`output: min is at least ${before.min}`] : []),
    ...(after.max > before.max ? [`output: max is at most ${before.max}`] : []),
    ...(before.max_sentences !== undefined && !((after.max_sentences ?? Infinity) <= before.max_sentences)
      ? [`output: max_sentences is at most ${before.max_sentences}`]
      : []),
    ...(before.ends_with_question === true && after.ends_with_question !== true
      ? ['output: ends_with_question stays true']
      : []),
  ];
}
