import type { TurnOutcome, Verdict } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import {
  diagnosed,
  type Ground,
  type HostError,
  isStranger,
  type RunKind,
  refuse,
  type StartCall,
  type Talk,
  type TalkKind,
  talkKind,
} from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import {
  type AnswerJudge,
  type AnyProfile,
  composeTarget,
  correctiveNote,
  type Workbench,
} from '@cuebook/profile';
import { type Diagnostic, type GatedRequest, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { filesTold, requestOf } from './composition.js';
import type { TurnAbout, TurnPrompt } from './prompt.js';

export interface TurnKindOptions {
  readonly prefixes: readonly string[];
  readonly compose: (call: StartCall, ground: Ground) => Promise<Result<TurnPrompt, HostError>>;
  /** Who judges the answers to targets of a prefix that have a contract. */
  readonly judge?: (prefix: string) => Promise<AnswerJudge | undefined>;
}

/**
 * A composed prompt that is told to a provider once, as a kind of run. What was composed when the run began is what is
 * told, in whichever process; the tools that the model asks for are told and not run. An answer that breaks the contract
 * of its prompt is asked for once more, with a note of what was wrong; a second one is refused.
 */
export const turnRuns = (options: TurnKindOptions): RunKind => talkKind(turnTalk(options));

/** The texts that a target is made of, and the revision that it names, where it names one. */
export type TextsOf = (
  ground: Ground,
  target: string,
  profile: AnyProfile,
) => Promise<
  | { readonly ok: true; readonly value: Pick<Workbench, 'project' | 'revision' | 'commit'> }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }
>;

/**
 * The kind of the targets of profiles. What a profile takes is handed in as the options of the call. Without `textsOf` a
 * target that names a revision is refused.
 */
export const profileTurns = (
  profiles: Readonly<Record<string, () => Promise<AnyProfile>>>,
  textsOf: TextsOf = async ({ files: project }) => ({ ok: true, value: { project } }),
): RunKind =>
  turnRuns({
    prefixes: Object.keys(profiles),
    judge: async (prefix) => (await profiles[prefix]?.())?.judge?.(),
    async compose({ target, input, options = {}, by }, ground) {
      const [prefix = ''] = target.split(':');
      const profile = await profiles[prefix]?.();
      if (profile === undefined) return refuse('invalid', 'E_TARGET', 'There is no such kind of target.');
      const stray = [...(input === undefined ? [] : ['input']), ...Object.keys(options)].find(
        (key) => !Object.hasOwn(profile.input.shape, key),
      );
      if (stray !== undefined)
        return refuse(
          'invalid',
          'E_INPUT',
          `A ${prefix} takes no ${JSON.stringify(stray.slice(0, 80))}. It takes: ${Object.keys(profile.input.shape).join(', ')}.`,
        );
      const texts = await textsOf(ground, target, profile);
      if (!texts.ok) return diagnosed(texts.diagnostics);
      const { hash, redactor } = ground;
      const given = { ...options, ...(input === undefined ? {} : { input }) };
      const bench = { profiles: [profile], ...texts.value, hash, redactor };
      const composed = await composeTarget(bench, target, given, { isStranger: isStranger(by) });
      return composed.ok ? ok({ ...composed.value, from: texts.value }) : diagnosed(composed.diagnostics);
    },
  });

function turnTalk({ prefixes, compose, judge }: TurnKindOptions): TalkKind<TurnAbout> {
  /** What this process has composed and not told yet. */
  const fresh = new Map<RunId, GatedRequest>();
  /** By prefix, loaded before anything is told. */
  const judges = new Map<string, AnswerJudge>();
  const loadJudge = async (target: string): Promise<void> => {
    const found = await judge?.(prefixOf(target));
    if (found !== undefined) judges.set(prefixOf(target), found);
  };
  return {
    name: 'turn',
    prefixes,
    lacks: {
      words: 'A prompt is told once: run it again with other words.',
      approvals: 'What the model asks for is told, and not run.',
      doubts: 'It does nothing but speak.',
      stalls: 'There is one turn.',
      updates:
        'A prompt is told once, as it was composed: run it again, and it is composed from what is there now.',
    },
    onAnswer: ({ retries }, { end, text }, { target, about }) =>
      verdictOf({ end, text, retries, contract: about.contract, judge: judges.get(prefixOf(target)) }),
    // Words that were refused are in the record, and nowhere else.
    text: ({ facts, outcome, agent }) =>
      facts.about.contract !== undefined && agent.mode !== 'done' ? '' : (outcome?.text ?? ''),
    detail,
    async start(call, { run, ground }) {
      const composed = await compose(call, ground);
      if (!composed.ok) return composed;
      const { blocks, tools, params, request, diagnostics, contract, from } = composed.value;
      fresh.set(run, request);
      const { model } = request.params;
      return ok({
        about: {
          hash: request.prompt.hash,
          ...(hidesReasoning(request) ? { hidesReasoning: true as const } : {}),
          ...(contract === undefined ? {} : { contract }),
        },
        sources: {
          files: await filesTold(blocks, from?.project ?? ground.files),
          ...(from?.commit === undefined ? {} : { commit: from.commit }),
          about: { blocks, tools, params } as unknown as JsonValue,
        },
        diagnostics,
        ...(typeof model === 'string' ? { model } : {}),
      });
    },
    async compose({ facts, agent, sources }, { run, ground }) {
      if (facts.about.contract !== undefined) await loadJudge(facts.target);
      const known = fresh.get(run);
      fresh.delete(run);
      const notes = agent.history.flatMap((said) =>
        said.role === 'user' && said.by === 'cuebook' ? [said.text] : [],
      );
      if (known !== undefined && notes.length === 0) return ok(known);
      return requestOf(sources.about, { hash: facts.about.hash, notes }, ground);
    },
  };
}

const prefixOf = (target: string): string => target.slice(0, target.indexOf(':'));

interface JudgedAnswer extends Pick<TurnOutcome, 'end' | 'text'> {
  readonly retries: number;
  readonly contract: JsonValue | undefined;
  readonly judge: AnswerJudge | undefined;
}

function verdictOf({ end, text, retries, contract, judge }: JudgedAnswer): Verdict {
  if (end.reason !== 'done')
    return {
      kind: 'fail',
      code: end.code ?? 'E_AGENT_TURN',
      message: end.message ?? `The turn ended: ${end.reason}.`,
    };
  if (contract === undefined) return { kind: 'done' };
  const problems = judge?.(contract, text) ?? ['nobody here can tell whether it is what was asked for'];
  if (!guard('turn.contract', problems.length > 0)) return { kind: 'done' };
  if (retries === 0) return { kind: 'retry', note: correctiveNote(problems) };
  return { kind: 'fail', code: 'E_OUTPUT', message: `The answer was refused: ${problems.join('; ')}.` };
}

function detail({ facts, outcome }: Talk<TurnAbout>): { readonly [name: string]: JsonValue } {
  const { hash, hidesReasoning: isHidden } = facts.about;
  const { reasoning, calls = [], usage, end } = outcome ?? {};
  return {
    hash,
    ...(reasoning === undefined || isHidden === true ? {} : { reasoning }),
    calls: asJson(calls),
    tokens: (usage ?? null) as JsonValue,
    end: (end ?? null) as JsonValue,
  };
}

/** Whether the definition of a prompt keeps what is thought from whoever asks. */
export function hidesReasoning({ params }: Pick<GatedRequest, 'params'>): boolean {
  const { cuebook } = (params.providerOptions ?? {}) as {
    readonly cuebook?: { readonly reasoning?: { readonly exclude?: boolean } };
  };
  return cuebook?.reasoning?.exclude === true;
}
