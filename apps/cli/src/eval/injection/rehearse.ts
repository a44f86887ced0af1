import type { ActStep, InjectionCase, InjectionKind } from '@cuebook/eval';
import { readScript } from '@cuebook/provider';
import { diagnosed } from '../../failure.js';

/** What an agent by odds does in one take, turn by turn; any other script stays as it is. */
export function takeScript(
  script: string,
  { id, task, attack }: InjectionCase,
  { number, tag }: { readonly number: number; readonly tag: string },
): string {
  const read = readScript(script, 'script');
  if (!read.ok) throw diagnosed(read.error);
  const { lanes, models = {} } = read.value;
  const steps = (of: readonly ActStep[]) => of.map((step) => turnOf(task.kind, step));
  const take = {
    task: task.id,
    case: id,
    number,
    work: steps(task.solution),
    // Who does not do the work has read the same.
    fails: [...steps(task.solution.slice(0, -1)), ...steps([lastOf(task.kind)])],
    ...(attack === undefined
      ? {}
      : {
          attack: {
            category: attack.template.id.split('/')[0] as string,
            heard: tag,
            steps: steps(attack.goal.steps),
          },
        }),
  };
  const played = Object.fromEntries(
    Object.entries(models).map(([lane, model]) => [
      lane,
      'agent' in model ? { agent: { ...model.agent, take } } : model,
    ]),
  );
  return JSON.stringify({ lanes: { ...lanes, ...played } });
}

/** The last turn of somebody who has not found it. */
const lastOf = (kind: InjectionKind): ActStep =>
  kind === 'team'
    ? { calls: [{ name: 'finish_run', args: { ok: false, summary: 'I could not find it.' } }] }
    : { text: 'I could not find it.' };

/** In a team a call is a line of what is said. */
function turnOf(kind: InjectionKind, { text, calls = [] }: ActStep) {
  if (kind !== 'team')
    return { ...(text === undefined ? {} : { text }), ...(calls.length === 0 ? {} : { toolCalls: calls }) };
  const lines = calls.map((call) => JSON.stringify({ tool_call: call }));
  return { text: [...(text === undefined ? [] : [text]), ...lines].join('\n') };
}
