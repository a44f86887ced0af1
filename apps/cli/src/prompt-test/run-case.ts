import { guard } from '@cuebook/guard';
import type { ComposedTarget } from '@cuebook/profile';
import { type Diagnostic, type RenderDocument, renderDocument, type TokenCount } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { Failure } from '../failure.js';
import type { Journal } from '../record/journal.js';
import { answerAgent } from './answer-agent.js';
import { type AnswerDesk, answerCase } from './answer-case.js';
import type { TestCase } from './case-file.js';
import { type CaseBench, composeCase } from './compose-case.js';
import { checkAnswer } from './expect/answer.js';
import type { Failed } from './expect/failed.js';
import { checkRequest } from './expect/request.js';
import type { SnapshotBook } from './snapshot/book.js';
import { answerText, requestText } from './snapshot/text.js';

/** What came of a case. */
export interface CaseResult {
  readonly test: TestCase;
  readonly failed: readonly Failed[];
  /** What hooks had to say, which of them had no say, and which MCP servers could not be asked. */
  readonly hooks: readonly Diagnostic[];
  readonly ms: number;
}

export interface CaseDesk extends CaseBench {
  readonly answering: Omit<AnswerDesk, 'bench'>;
  /** Where agents run, opened when a case first needs it. */
  readonly scratch: () => Promise<Journal>;
  readonly countTokens: (prompt: ComposedTarget['prompt']) => TokenCount;
  readonly bookOf: (file: string) => SnapshotBook;
  readonly now: () => number;
}

/** Composes, speaks where an answer is expected, and compares. Never rejects for what a case does. */
export async function runCase(desk: CaseDesk, test: TestCase): Promise<CaseResult> {
  const began = desk.now();
  const hooks: Diagnostic[] = [];
  const failed = await outcomeOf(desk, test, hooks);
  const told = guard('test.expected', failed.length > 0) ? failed : [];
  return { test, failed: told, hooks, ms: desk.now() - began };
}

async function outcomeOf(desk: CaseDesk, test: TestCase, hooks: Diagnostic[]): Promise<readonly Failed[]> {
  try {
    return await check(desk, test, hooks);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ path: 'target', message: `${error.code} ${error.message}` }];
  }
}

async function check(desk: CaseDesk, test: TestCase, hooks: Diagnostic[]): Promise<readonly Failed[]> {
  const { request: asked, answer: told, file, line } = test;
  // A turn on record is one for `eval`.
  if (test.turn !== undefined) return [];
  const composed = await composeCase(desk, test);
  for (const each of composed.ok ? composed.value.diagnostics : [])
    if (/^W_(?:HOOK|MCP)/.test(each.code)) hooks.push({ ...each, file, line });
  if (!composed.ok || asked?.refused !== undefined) return checkRefusal(composed, asked?.refused);
  const document = documentOf(desk, composed.value);
  const book = desk.bookOf(test.file);
  const failed = asked === undefined ? [] : [...checkRequest(document, asked)];
  if (asked?.snapshot === true) failed.push(...book.compare(test.name, 'request', requestText(document)));
  // An answer that nobody is named for is one for `eval`.
  if (told === undefined || (test.script === undefined && test.provider === undefined)) return failed;
  const { bench } = await desk.benchFor(test.target);
  const answer = isWholeRun(test)
    ? await answerAgent({ ...desk, ...desk.answering, bench }, test)
    : await answerCase({ ...desk.answering, bench }, test, composed.value.request);
  failed.push(...checkAnswer(answer, told));
  if (told.snapshot === true) failed.push(...book.compare(test.name, 'answer', answerText(answer)));
  return failed;
}

/** A thread cannot begin in the middle of a conversation: then only the next step is asked for. */
const isWholeRun = ({ target, conversation }: TestCase): boolean =>
  target.startsWith('agent:') && conversation === undefined;

function checkRefusal(
  composed: Awaited<ReturnType<typeof composeCase>>,
  expected: string | undefined,
): readonly Failed[] {
  if (composed.ok) return [{ path: 'request.refused', message: 'it is not refused' }];
  const errors = composed.diagnostics.filter(({ severity }) => severity === 'error');
  if (expected !== undefined && errors.some(({ code }) => code === expected)) return [];
  const path = expected === undefined ? 'request' : 'request.refused';
  if (errors.length === 0) return [{ path, message: `it cannot be composed: ${hint`check`} says why` }];
  return errors.map(({ code, message }) => ({ path, message: `it is refused: ${code} ${message}` }));
}

function documentOf({ countTokens }: CaseDesk, composed: ComposedTarget): RenderDocument {
  const { prompt, target, tools, params, meta } = composed;
  return renderDocument({
    profile: target.slice(0, target.indexOf(':')),
    prompt,
    tools,
    params,
    meta,
    tokens: countTokens(prompt),
  });
}
