import type { LiveProject } from '@cuebook/define';
import { parseTarget } from '@cuebook/profile';
import { ok } from '@cuebook/prompt';
import { createProvider } from '@cuebook/provider';
import type { MessageCall } from '@cuebook/thread';
import type { Journal } from '../record/journal.js';
import { runOnce } from '../run/agent/one-run.js';
import type { AgentVoices } from '../run/agent/voices.js';
import { newRunId } from '../run/one-turn.js';
import { type AnswerDesk, scriptOf } from './answer-case.js';
import type { TestCase } from './case-file.js';
import type { GivenAnswer } from './expect/answer.js';

export interface AgentDesk extends AnswerDesk {
  readonly live: () => Promise<LiveProject>;
  readonly scratch: () => Promise<Journal>;
}

/** Runs an agent until it has answered: its tools and hooks run, its sub-prompts and subagents too. */
export async function answerAgent(desk: AgentDesk, test: TestCase): Promise<GivenAnswer> {
  const { name = '' } = parseTarget(test.target) ?? {};
  const { report } = await runOnce({
    by: 'user',
    run: newRunId(),
    bench: desk.bench,
    journal: await desk.scratch(),
    voices: voicesOf(desk, test),
    live: await desk.live(),
    io: desk.io,
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
function voicesOf({ config, io }: AnswerDesk, test: TestCase): AgentVoices {
  const made = createProvider(test.provider ?? 'rehearsal', {
    config,
    env: io.env,
    ...scriptOf(test),
  });
  const { model } = test;
  const found =
    made.ok && model !== undefined
      ? ok({
          ...made.value,
          open: (options: Parameters<typeof made.value.open>[0]) => made.value.open({ ...options, model }),
        })
      : made;
  return { find: () => found, isPriced: () => false };
}
