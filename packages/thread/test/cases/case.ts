import type { ScriptStep } from '@cuebook/provider';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import type { ThreadRunState } from '../../src/run/state.js';
import type { ThreadStart } from '../../src/threads.js';
import { type Body, openStand, type Project, type Stand } from '../stand.js';

/** A case of the specification: a project, what its models say, and what must be seen from outside. */
export interface Case {
  readonly name: string;
  readonly project: Project;
  readonly lanes: Readonly<Record<string, readonly ScriptStep[]>>;
  readonly start?: Partial<ThreadStart>;
  /** Said one after the other, each when the thread has come to rest. */
  readonly says?: readonly string[];
  readonly see: (seen: Seen) => void | Promise<void>;
}

export interface Seen {
  readonly state: ThreadRunState;
  readonly requests: readonly Body[];
  readonly stand: Stand;
}

/** One test a case. */
export function testCases(cases: readonly Case[]): void {
  it.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    const stand = await openStand(each.project, each.lanes);
    try {
      let state = await stand.start(each.start);
      for (const text of each.says ?? []) state = await stand.say(text);
      await each.see({ state, requests: stand.requests, stand });
    } finally {
      await stand.close();
    }
  });
}

/** A call of the rehearsed model. */
export const calls = (name: string, args: object = {}, text?: string): ScriptStep => ({
  ...(text === undefined ? {} : { text }),
  toolCalls: [{ name, args: args as never }],
});

export const toolTexts = (body: Body | undefined): readonly string[] =>
  (body?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content);

export const toolNames = (body: Body | undefined): readonly string[] =>
  (body?.tools ?? []).map(({ name }) => name);

export const expectSaid = (body: Body | undefined, lines: readonly string[]): void =>
  expect((body?.messages ?? []).map(({ role, content }) => `${role}: ${content}`)).toEqual(lines);
