import { expect, it } from 'vitest';
import { tellStory } from './tell-story.js';
import { workflowStateOf } from './workflow-state.js';

const STATE = {
  ...{ stepsCompleted: ['a'], variables: { size: 3 }, artifacts: ['artifacts/a.md'] },
  decisionLog: [{ from: 'a', to: 'b', reason: 'small' }],
};
const turn = (id: string, state: object | undefined, calls: readonly object[] = []) => [
  { type: 'effect.intended', data: { id, kind: 'model.turn', lane: 'workflow', input: {} } },
  { type: 'workflow.composed', data: { effect: id, nodeId: 'a', ...(state && { state }) } },
  { type: 'agent.judged', data: { calls: calls.map((each, at) => ({ id: `${id}-${at}`, ...each })) } },
  ...calls.map((_, at) => ({
    ...{ type: 'call.settled', data: { call: `${id}-${at}`, result: { status: 'ok', text: '' } } },
  })),
];
const stateOf = (...events: readonly { readonly type: string; readonly data: object }[]) =>
  workflowStateOf(
    tellStory(
      [{ type: 'workflow.started', data: { workflow: 'w' } }, ...events].map(({ type, data }, at) => ({
        ...{ id: `r/${at + 1}`, run: 'r', seq: at + 1, at: 0, type, data: data as never },
        ...{ command: 'c', hash: 'h' },
      })),
    ),
  );
const patch = (update: object) => ({ name: 'fs.apply_patch', input: { patch: { update } } });

it('tells the state that a turn was told, however it was written', () => {
  const { done, variables, decisions, artifacts } = stateOf(...turn('t1', {}), ...turn('t2', STATE));
  expect([done, [...variables], decisions, [...artifacts]]).toEqual([
    ['a'],
    [['size', 3]],
    ['a → b: small'],
    [['artifacts/a.md', null]],
  ]);
});

it('adds what was done since, once: a state that takes something back wins over older calls', () => {
  const more = patch({ stepsCompleted: { append: ['b'] }, variables: { set: { size: 4 } } });
  const way = patch({ decisionLog: { append: [{ from: 'b', to: 'c' }] } });
  const write = { name: 'fs.write', input: { path: '@project/artifacts/a.md', content: 'words' } };
  const now = stateOf(...turn('t1', undefined, [more]), ...turn('t2', STATE, [way, write]));
  expect(now.done).toEqual(['a']);
  expect(now.variables.get('size')).toBe(3);
  expect(now.decisions).toEqual(['a → b: small', 'b → c']);
  expect([...now.artifacts]).toEqual([['artifacts/a.md', 'words']]);
  // A turn for which nothing had changed since.
  expect(stateOf(...turn('t1', STATE), ...turn('t2', undefined, [more])).done).toEqual(['a', 'b']);
});
