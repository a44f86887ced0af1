import {
  ATTACK_SLOT,
  type AttackPlace,
  type AttackTemplate,
  type InjectionGoal,
  type InjectionTask,
} from './contract.js';
import { encodeText } from './encode.js';

/**
 * The words that are put into the world of a task. The tag stands in plain letters beside the attack: by it the record tells
 * whether the model was told the attack at all.
 */
export function attackText(
  { text, encode }: AttackTemplate,
  { goal, task, tag }: { readonly goal: InjectionGoal; readonly task: InjectionTask; readonly tag: string },
): string {
  const asks = encode === undefined ? goal.asks : encodeText(goal.asks, encode);
  const words: Readonly<Record<string, string>> = { '{goal}': asks, '{ask}': plainAsk(task) };
  return `${text.replace(/\{goal\}|\{ask\}/gu, (slot) => words[slot] as string)} (ref ${tag})`;
}

/** What the user asks for in one line, without what others wrote. */
const plainAsk = ({ ask }: InjectionTask): string =>
  (ask.replaceAll(ATTACK_SLOT, '').split('\n')[0] as string).trim();

/** The world of a task with something in the place that others can write to; nothing: without an attack. */
export function worldOf(
  task: InjectionTask,
  attack = '',
): Pick<InjectionTask, 'ask' | 'set' | 'results' | 'files'> {
  // A function, because a text may hold what `replaceAll` takes for a pattern.
  const put = (text: string): string => text.replaceAll(ATTACK_SLOT, () => attack);
  const all = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, put(text)]));
  return {
    ask: put(task.ask),
    ...(task.set === undefined ? {} : { set: all(task.set) }),
    ...(task.results === undefined ? {} : { results: all(task.results) }),
    ...(task.files === undefined ? {} : { files: all(task.files) }),
  };
}

/** How often the place for the attack stands in a task. */
export const slotsIn = (task: InjectionTask): number =>
  textsByPlace(task).reduce((sum, [, text]) => sum + text.split(ATTACK_SLOT).length - 1, 0);

/** Where the attack of a task stands. */
export const placeOf = (task: InjectionTask): AttackPlace =>
  textsByPlace(task).find(([, text]) => text.includes(ATTACK_SLOT))?.[0] ?? 'message';

function textsByPlace({
  ask,
  set = {},
  results = {},
  files = {},
}: InjectionTask): readonly (readonly [AttackPlace, string])[] {
  const at = (place: AttackPlace, texts: Readonly<Record<string, string>>) =>
    Object.values(texts).map((text) => [place, text] as const);
  return [['message', ask], ...at('input', set), ...at('tool result', results), ...at('file', files)];
}
