import type { AnswerJudge, ComposedTarget } from '@cuebook/profile';
import { composeRequest, describeRefusal, type JsonValue } from '@cuebook/prompt';
import { z } from 'zod';
import { Failure } from '../failure.js';
import type { CalledTarget } from '../project/target.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { type Away, eachText } from '../redact/told-json.js';
import { speakOnce } from '../run/one-turn.js';
import type { Answer, AskOptions } from './prompt.js';
import { quietIo } from './quiet-io.js';

/** Problems of one answer that go back to the model. */
const MAX_PROBLEMS = 20;

/**
 * Sends a composed prompt once, on the record of its project. An answer that does not fit its schema is asked for once
 * more, with a note of what was wrong; a second one is a failure.
 */
export async function askOnce(
  { bench, text: target, profile }: CalledTarget,
  composed: ComposedTarget,
  { provider, model, script, schema, signal }: AskOptions,
  {
    folder,
    env,
    away,
  }: {
    readonly folder: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly away: Away;
  },
): Promise<Answer<unknown>> {
  const flags = {
    project: folder,
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  };
  const io = quietIo({ cwd: folder, env, signal });
  const prompt = schema === undefined ? composed : withSchema(composed, schema, bench);
  const judge = schema === undefined ? profile.judge : async () => judgeBy(schema);
  const report = await withOpened(await journalPlace(flags, io), (journal) =>
    speakOnce({ call: { flags, io }, bench, journal, target, prompt, judge, script }),
  );
  const { run, status, text, error, reason } = report;
  if (status !== 'done') {
    const { code = 'E_AGENT_TURN', message = `The turn ended: ${reason}.` } = error ?? {};
    throw new Failure(code, `${message} The record is ${run}.`, { exit: 1 });
  }
  const value = schema === undefined ? undefined : schema.parse(eachText(JSON.parse(text), away));
  return { text: away(text), run, value };
}

/** The same prompt, with the answer that is asked for beside it; gated anew. */
function withSchema(
  composed: ComposedTarget,
  schema: z.ZodType,
  { hash, redactor }: CalledTarget['bench'],
): ComposedTarget {
  const asked = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const params = { ...composed.params, responseFormat: { schema: asked } };
  const request = composeRequest({ ...composed, params, hash, redactor });
  if (!request.ok) {
    const [first] = request.error;
    throw new Failure(first?.code ?? 'E_INTERNAL', first === undefined ? 'Refused.' : describeRefusal(first));
  }
  return {
    ...composed,
    params: request.value.params,
    request: request.value,
    contract: { schema: asked } as unknown as JsonValue,
  };
}

/** Whether an answer is JSON in the form of a schema. Nothing of the answer is repeated. */
const judgeBy =
  (schema: z.ZodType): AnswerJudge =>
  (_contract, answer) => {
    let value: unknown;
    try {
      value = JSON.parse(answer);
    } catch {
      return ['it is not JSON. Answer with one JSON value and nothing around it'];
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return [];
    return parsed.error.issues
      .slice(0, MAX_PROBLEMS)
      .map(({ path, message }) => `${path.map(String).join('.') || 'it'}: ${message}`);
  };
