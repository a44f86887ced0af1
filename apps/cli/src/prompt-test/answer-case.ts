import { createCollector } from '@cuebook/engine';
import type { GatedRequest } from '@cuebook/prompt';
import { createProvider, type ProviderConfig, type Script } from '@cuebook/provider';
import type { Io } from '../io.js';
import type { Bench } from '../project/bench.js';
import type { TestCase } from './case-file.js';
import { contractError } from './contract.js';
import type { GivenAnswer } from './expect/answer.js';

export interface AnswerDesk {
  readonly bench: Bench;
  readonly config: ProviderConfig;
  readonly io: Io;
}

/** Says the request of a case to its script or its provider. One turn; tools that are asked for are not run. */
export async function answerCase(
  { bench, config, io }: AnswerDesk,
  test: TestCase,
  request: GatedRequest,
): Promise<GivenAnswer> {
  const name = test.script === undefined ? test.provider : 'rehearsal';
  const made = createProvider(name, { config, env: io.env, ...scriptOf(test) });
  if (!made.ok) return { text: '', calls: [], error: made.error };
  const { params } = request;
  const model = test.model ?? (typeof params.model === 'string' ? params.model : undefined);
  const session = made.value.open({
    redactor: bench.redactor,
    cwd: bench.folder,
    access: 'plan',
    ...(model && { model }),
  });
  const heard = createCollector();
  try {
    for await (const event of session.turn({ request, signal: io.stop })) heard.take(event);
  } finally {
    await session.close();
  }
  const { text, calls, end } = heard.outcome();
  const error =
    end.reason === 'done'
      ? await contractError(bench, test.target, text)
      : { code: end.code ?? end.reason, message: end.message ?? end.reason };
  return {
    text,
    calls: calls.map((call) => ({ name: call.name, args: call.input })),
    ...(error === undefined ? {} : { error }),
  };
}

/** The steps of a case as the rehearsal takes them. */
export const scriptOf = ({ script }: TestCase): { readonly script?: Script } =>
  script === undefined ? {} : { script: { lanes: { '*': script } } as Script };
