import type { Client } from '@cuebook/api';
import { type SheetInputs, sentInputs } from '../library/sent-inputs.js';

/** What a person has chosen. Fields of numbers are texts until they are sent. */
export interface StartChoice {
  readonly kind: 'roles' | 'file' | 'target';
  readonly goal: string;
  readonly file: string;
  readonly target: string;
  /** Of a sheet. */
  readonly inputs: SheetInputs;
  readonly roles: readonly string[];
  /** Who speaks for a role, and with which model, where that is not as for the others. */
  readonly voices: Readonly<Record<string, RoleVoiceChoice>>;
  readonly provider: string;
  readonly model: string;
  readonly turns: string;
  readonly usd: string;
  readonly mode: 'AUTO' | 'INTERACTIVE';
}

/** A provider and a model. An empty text is what nobody chose. */
export interface RoleVoiceChoice {
  readonly provider: string;
  readonly model: string;
}

/** A role for which nothing was chosen speaks as all others do. */
export const AS_ALL: RoleVoiceChoice = { provider: '', model: '' };

type StartCall = NonNullable<Parameters<Client['startRun']>[0]>;

/** The call that starts what was chosen. Fields that were left empty are left out. */
export function startCall(choice: StartChoice): StartCall {
  const goal = choice.goal.trim();
  const voice = chosen(choice);
  const budget = {
    ...(choice.turns !== '' && { turns: Number(choice.turns) }),
    ...(choice.usd !== '' && { usd: Number(choice.usd) }),
  };
  const limited = Object.keys(budget).length > 0 ? { budget } : {};
  if (choice.kind === 'file') return { team: { file: choice.file }, ...(goal !== '' && { goal }) };
  if (choice.kind === 'target')
    return {
      target: choice.target.trim(),
      ...(goal !== '' && { input: goal }),
      ...sentInputs(choice.target, choice.inputs),
      ...voice,
      ...limited,
    };
  return { team: { text: JSON.stringify(teamOf(choice, goal, limited), null, 2) } };
}

/** A team of the chosen roles: the first orchestrator leads and may hand work to all others. */
function teamOf({ roles, voices, mode, ...common }: StartChoice, goal: string, limited: object): object {
  const lead = roles.includes('orchestrator') ? 'orchestrator' : roles[0];
  const nodeOf = (role: string): object => {
    const own = voices[role] ?? AS_ALL;
    // The model of all is one of the provider of all: another provider has its own.
    const model = own.model || (own.provider === '' ? common.model : '');
    return { alias: role, role, ...chosen({ provider: own.provider, model }) };
  };
  return {
    goal,
    mode,
    ...chosen({ provider: common.provider, model: '' }),
    ...limited,
    nodes: roles.map(nodeOf),
    edges: roles.filter((role) => role !== lead).map((role) => ({ from: lead, to: role })),
  };
}

const chosen = ({ provider, model }: RoleVoiceChoice): Partial<RoleVoiceChoice> => ({
  ...(provider !== '' && { provider }),
  ...(model.trim() !== '' && { model: model.trim() }),
});

/** The models that a provider may have, by the names of their makers; all of them where that cannot be told. */
export function modelsFor(provider: string, models: readonly string[]): readonly string[] {
  const own = MAKERS.find(([providers]) => providers.test(provider))?.[1];
  return own === undefined ? models : models.filter((model) => own.test(model));
}

const MAKERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:claude|anthropic)/, /^claude/],
  [/^(?:codex|openai)/, /^(?:gpt|o\d)/],
  [/^(?:gemini|google)/, /^gemini/],
];
