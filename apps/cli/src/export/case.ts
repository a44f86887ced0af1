import type { ExportCase } from '@cuebook/adopt';
import type { Workbench } from '@cuebook/profile';
import type { TestCase } from '../prompt-test/case-file.js';
import { examplesOf } from './prompt.js';

/** The values and checks of a case as a writer takes them; `set` are the values that the export gives. */
export async function exportCase(
  bench: Workbench,
  test: TestCase,
  set: Readonly<Record<string, string>>,
): Promise<ExportCase> {
  const { name, provider, model, answer = {}, request = {}, with: given = {}, evals } = test;
  const own = isTexts(given.set) ? given.set : undefined;
  const isGiven = DECIDING.some((key) => test[key] !== undefined) || Object.keys(given).length > 0;
  const values = own ?? (isGiven ? {} : Object.fromEntries(await examplesOf(bench, test.target)));
  const fixed = Object.keys(set).filter((key) => Object.hasOwn(values, key) && values[key] !== set[key]);
  const { snapshot: _, refused, ...checks } = request;
  const more = [
    ...DECIDING.filter((key) => test[key] !== undefined),
    ...Object.keys(given).filter((key) => key !== 'set' || own === undefined),
    ...(refused === undefined ? [] : ['request.refused']),
    ...fixed.map((key) => `value of ${JSON.stringify(key)}, which --set gives`),
  ];
  const { takes, metrics, gate } = evals ?? {};
  const lost = [
    ...Object.keys(checks).map((key) => `request.${key}`),
    ...(test.cluster === undefined ? [] : ['cluster']),
    ...(takes === undefined || takes === 1 ? [] : ['takes']),
    ...(metrics === undefined ? [] : ['metrics']),
    ...(gate === undefined ? [] : ['gate']),
  ];
  return {
    name,
    set: values,
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    answer,
    more,
    lost,
  };
}

/** What of a case decides what is sent, or who answers, besides the values of inputs. */
const DECIDING = ['input', 'args', 'env', 'conversation', 'script', 'turn'] as const;

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => typeof each === 'string');
