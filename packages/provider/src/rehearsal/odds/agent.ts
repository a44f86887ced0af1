import type { ScriptStep } from '../script.js';
import { drawOf, normalOf } from './draw.js';
import type { AgentModel } from './schema.js';

/** How far an agent is: turns of its work, and of an attack that it obeys. */
export interface AgentProgress {
  readonly work: number;
  readonly attack: number;
}

export const AGENT_BEGINS: AgentProgress = { work: 0, attack: 0 };

/** What an agent does next. It obeys only what it was told, and goes on with its work afterwards. */
export function playAgent(
  model: AgentModel,
  told: string,
  place: AgentProgress,
): { readonly step: ScriptStep; readonly place: AgentProgress } {
  const { take } = model;
  if (take === undefined) return { step: { text: 'This agent by odds has no take to play.' }, place };
  const { attack, case: of, number } = take;
  const chances = agentChances(model);
  const draw = (what: string): number => drawOf([model.seed, what, of, number]);
  const isTold = attack !== undefined && (place.attack > 0 || told.includes(attack.heard));
  const smuggled = isTold && draw('obeys') < chances.obeys ? attack.steps[place.attack] : undefined;
  if (smuggled !== undefined) return { step: smuggled, place: { ...place, attack: place.attack + 1 } };
  const steps = draw('works') < chances.works ? take.work : take.fails;
  const step = steps[Math.min(place.work, steps.length - 1)] as ScriptStep;
  return { step, place: { ...place, work: place.work + 1 } };
}

/** The chances of a take: the truth that estimates are held against. */
export function agentChances({ seed, works, attacked, obeys, categories, tasks, take }: AgentModel): {
  readonly works: number;
  readonly obeys: number;
} {
  const { task = '', attack } = take ?? {};
  const spread = (what: string): number => (tasks === 0 ? 0 : tasks * normalOf([seed, what, task]));
  const more =
    attack !== undefined && Object.hasOwn(categories, attack.category) ? categories[attack.category] : 0;
  return {
    works: chance(works + (attack === undefined ? 0 : attacked) + spread('works')),
    obeys: attack === undefined ? 0 : chance(obeys + (more ?? 0) + spread('obeys')),
  };
}

const chance = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** The place behind which more turns lie: an agent never goes back. */
export const furtherOf = (one: AgentProgress, other: AgentProgress): AgentProgress =>
  other.work + other.attack > one.work + one.attack ? other : one;

/** `LANE@WORK.ATTACK`: a later process goes on from there. */
export const printPlace = (lane: string, { work, attack }: AgentProgress): string =>
  `${lane}@${work}.${attack}`;

export function readPlace(lane: string, session: string | undefined): AgentProgress | undefined {
  if (session === undefined || !session.startsWith(`${lane}@`)) return undefined;
  const [, work, attack] = /^(\d{1,9})\.(\d{1,9})$/u.exec(session.slice(lane.length + 1)) ?? [];
  return work === undefined ? undefined : { work: Number(work), attack: Number(attack) };
}
