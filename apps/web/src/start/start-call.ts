import type { Client } from '@cuebook/api';

/** What a person has chosen. Fields of numbers are texts until they are sent. */
export interface StartChoice {
  readonly kind: 'roles' | 'file' | 'target';
  readonly goal: string;
  readonly file: string;
  readonly target: string;
  readonly roles: readonly string[];
  /** Who speaks for a role, where that is somebody else than for the others. */
  readonly voices: Readonly<Record<string, string>>;
  readonly provider: string;
  readonly model: string;
  readonly turns: string;
  readonly usd: string;
  readonly mode: 'AUTO' | 'INTERACTIVE';
}

type StartCall = NonNullable<Parameters<Client['startRun']>[0]>;

/** The call that starts what was chosen. Fields that were left empty are left out. */
export function startCall(choice: StartChoice): StartCall {
  const goal = choice.goal.trim();
  const { provider, model } = choice;
  const voice = { ...(provider !== '' && { provider }), ...(model !== '' && { model }) };
  const budget = {
    ...(choice.turns !== '' && { turns: Number(choice.turns) }),
    ...(choice.usd !== '' && { usd: Number(choice.usd) }),
  };
  const limited = Object.keys(budget).length > 0 ? { budget } : {};
  if (choice.kind === 'file') return { team: { file: choice.file }, ...(goal !== '' && { goal }) };
  if (choice.kind === 'target')
    return { target: choice.target.trim(), ...(goal !== '' && { input: goal }), ...voice, ...limited };
  return { team: { text: JSON.stringify(teamOf(choice, goal, { ...voice, ...limited }), null, 2) } };
}

/** A team of the chosen roles: the first orchestrator leads and may hand work to all others. */
function teamOf({ roles, voices, mode }: StartChoice, goal: string, more: object): object {
  const lead = roles.includes('orchestrator') ? 'orchestrator' : roles[0];
  return {
    goal,
    mode,
    ...more,
    nodes: roles.map((role) => ({ alias: role, role, ...(voices[role] && { provider: voices[role] }) })),
    edges: roles.filter((role) => role !== lead).map((role) => ({ from: lead, to: role })),
  };
}

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
