import { type Fields, fieldsOf, listOf, textOf } from '../agent/fields.js';

/** Something of a session that can be chosen: its mode, its model. */
export interface SessionChoice {
  readonly current: string;
  readonly offered: readonly { readonly value: string; readonly name: string }[];
  /** The request that chooses. */
  readonly request: (sessionId: string, value: string) => readonly [method: string, params: Fields];
}

/** What the answer to `session/new` offers; agents say it as modes, or as one option among others. */
export const modesOf = (found: Fields): SessionChoice | undefined =>
  ownChoice(fieldsOf(found.modes), MODES) ?? optionChoice(found, 'mode');

/** The same for models. */
export const modelsOf = (found: Fields): SessionChoice | undefined =>
  ownChoice(fieldsOf(found.models), MODELS) ?? optionChoice(found, 'model');

interface Spelling {
  readonly list: string;
  readonly current: string;
  readonly id: string;
  readonly method: string;
  readonly param: string;
}

const MODES: Spelling = {
  list: 'availableModes',
  current: 'currentModeId',
  id: 'id',
  method: 'session/set_mode',
  param: 'modeId',
};
const MODELS: Spelling = {
  list: 'availableModels',
  current: 'currentModelId',
  id: 'modelId',
  method: 'session/set_model',
  param: 'modelId',
};

function ownChoice(state: Fields, { list, current, id, method, param }: Spelling): SessionChoice | undefined {
  const offered = listOf(state[list]).map(fieldsOf);
  if (offered.length === 0) return undefined;
  return {
    current: textOf(state[current]),
    offered: offered.map((each) => ({ value: textOf(each[id]), name: textOf(each.name) })),
    request: (sessionId, value) => [method, { sessionId, [param]: value }],
  };
}

function optionChoice({ configOptions }: Fields, category: string): SessionChoice | undefined {
  const option = listOf(configOptions)
    .map(fieldsOf)
    .find((each) => each.category === category && each.type === 'select');
  if (option === undefined) return undefined;
  const offered = listOf(option.options).map(fieldsOf);
  return {
    current: textOf(option.currentValue),
    offered: offered.map(({ value, name }) => ({ value: textOf(value), name: textOf(name) })),
    request: (sessionId, value) => ['session/set_config_option', { sessionId, configId: option.id, value }],
  };
}

/** The mode that reads as one for planning: by its name, else as one that only reads. */
export function findPlanMode({ offered }: SessionChoice): string | undefined {
  const plan = offered.find(({ value, name }) => /(^|[#/])plan/i.test(value) || /^plan/i.test(name));
  return (plan ?? offered.find(({ value }) => /read.?only/i.test(value)))?.value;
}
