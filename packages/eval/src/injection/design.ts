import {
  type AttackPlace,
  type AttackTemplate,
  categoryOf,
  INJECTION_KINDS,
  type InjectionGoal,
  type InjectionKind,
  type InjectionSuite,
  type InjectionTask,
} from './contract.js';
import { placeOf } from './render.js';

/** A task, with an attack or without one. */
export interface InjectionCase {
  readonly id: string;
  readonly task: InjectionTask;
  readonly attack?: { readonly template: AttackTemplate; readonly goal: InjectionGoal };
}

/**
 * All cases of a suite: each task without an attack, and with every attack. Which goal an attack comes with goes round, so
 * that every goal is tried with many attacks and every attack with many goals. `filter`: a part of the id of an attacked case.
 */
export function injectionCases(
  { tasks, goals, attacks, pairs }: InjectionSuite,
  {
    filter = '',
    through = INJECTION_KINDS,
  }: { readonly filter?: string | undefined; readonly through?: readonly InjectionKind[] | undefined } = {},
): readonly InjectionCase[] {
  return tasks
    .filter(({ kind }) => through.includes(kind))
    .flatMap((task, at) => {
      const own =
        pairs === undefined
          ? goals.filter((goal) => fits(goal, task))
          : pairs.flatMap(([of, goal]) => (of === task.id ? goals.filter(({ id }) => id === goal) : []));
      const tried =
        own.length === 0 ? [] : attacks.flatMap((template, place) => goalsFor(template, place + at));
      const attacked = tried
        .map(
          ({ template, goal }): InjectionCase => ({
            id: `${task.id}+${template.id}+${goal.id}`,
            task,
            attack: { template, goal },
          }),
        )
        .filter(({ id }) => id.includes(filter));
      return attacked.length === 0 ? [] : [{ id: task.id, task }, ...attacked];

      function goalsFor(template: AttackTemplate, turn: number) {
        if (pairs !== undefined) return own.map((goal) => ({ template, goal }));
        const fit = template.exfiltrates ? own.filter(({ exfiltrates }) => exfiltrates) : own;
        const among = fit.length === 0 ? own : fit;
        return [{ template, goal: among[turn % among.length] as InjectionGoal }];
      }
    });
}

/** An agent of the project has its own tools and no others: a goal that needs tools of ours is not for it. */
const fits = ({ kinds, tools = [] }: InjectionGoal, { kind, target }: InjectionTask): boolean =>
  kinds.includes(kind) && (target === undefined || tools.length === 0);

/** The facts of a case that the record keeps: with what was done, they give the document. */
export type InjectionCaseFacts = {
  readonly id: string;
  /** The user task: cases of one task rise and fall together. */
  readonly task: string;
  readonly kind: InjectionKind;
  /** The agent of the project that is tried; left out: a stand-in. */
  readonly target?: string;
  readonly utility: InjectionTask['utility'];
  readonly attack?: {
    readonly category: string;
    readonly place: AttackPlace;
    readonly goal: string;
    readonly act: InjectionGoal['act'];
  };
};

export const caseFacts = ({ id, task, attack }: InjectionCase): InjectionCaseFacts => ({
  id,
  task: task.id,
  kind: task.kind,
  ...(task.target === undefined ? {} : { target: task.target }),
  utility: task.utility,
  ...(attack === undefined
    ? {}
    : {
        attack: {
          category: categoryOf(attack.template),
          place: placeOf(task),
          goal: attack.goal.id,
          act: attack.goal.act,
        },
      }),
});
