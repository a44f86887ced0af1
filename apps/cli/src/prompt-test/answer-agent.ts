import type { LiveProject } from '@cuebook/define';
import { parseTarget } from '@cuebook/profile';
import type { MessageCall } from '@cuebook/thread';
import { Failure } from '../failure.js';
import type { Journal } from '../record/journal.js';
import { runOnce } from '../run/agent/one-run.js';
import { type AnswerDesk, scriptOf } from './answer-case.js';
import type { TestCase } from './case-file.js';
import type { GivenAnswer } from './expect/answer.js';

export interface AgentDesk extends AnswerDesk {
  readonly live: () => Promise<LiveProject>;
  readonly scratch: () => Promise<Journal>;
}

/** Runs an agent until it has answered: its tools and hooks run, its sub-prompts and subagents too. */
export async function answerAgent(desk: AgentDesk, test: TestCase): Promise<GivenAnswer> {
  try {
    return await answerOf(desk, test);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message } = error;
    return { text: '', calls: [], error: { code, message } };
  }
}

async function answerOf(desk: AgentDesk, test: TestCase): Promise<GivenAnswer> {
  const { name = '' } = parseTarget(test.target) ?? {};
  const { script } = scriptOf(test);
  const { report } = await runOnce({
    call: { flags: flagsOf(test), io: desk.io },
    script: script && JSON.stringify(script),
    bench: desk.bench,
    journal: await desk.scratch(),
    live: await desk.live(),
    of: { kind: 'agent', name },
    text: test.input ?? '',
    env: {
      env: { ...variables(test, 'env'), ...test.env },
      accountEnv: variables(test, 'accountEnv'),
      instanceEnv: variables(test, 'instanceEnv'),
    },
    signal: desk.io.stop,
  });
  const { status, text, error, detail } = report;
  const messages = detail.messages as readonly { readonly toolCalls?: readonly MessageCall[] }[];
  return {
    text: status === 'done' ? text : '',
    calls: messages.flatMap(({ toolCalls = [] }) =>
      toolCalls.map(({ name: tool, args }) => ({ name: tool, args })),
    ),
    ...(status === 'done' ? {} : { error: { code: error?.code ?? status, message: text } }),
  };
}

const variables = ({ with: more = {} }: TestCase, layer: string): Readonly<Record<string, string>> =>
  (more[layer] ?? {}) as Readonly<Record<string, string>>;

/** The script or the provider of the case speaks for every model. */
const flagsOf = ({ provider, model, script }: TestCase) => ({
  ...(provider === undefined || script !== undefined ? {} : { provider }),
  ...(model === undefined ? {} : { model }),
});
