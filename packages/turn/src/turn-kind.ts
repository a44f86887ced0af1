import type { ConversationConfig } from '@cuebook/engine';
import {
  diagnosed,
  type Ground,
  type HostError,
  type RunKind,
  refuse,
  type StartCall,
  type Talk,
  type TalkKind,
  talkKind,
} from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { type AnyProfile, composeTarget } from '@cuebook/profile';
import { type GatedRequest, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { filesTold, requestOf } from './composition.js';
import type { TurnAbout, TurnPrompt } from './prompt.js';

export interface TurnKindOptions {
  readonly prefixes: readonly string[];
  readonly compose: (call: StartCall, ground: Ground) => Promise<Result<TurnPrompt, HostError>>;
}

/**
 * A composed prompt that is told to a provider once, as a kind of run. What was composed when the run began is what is
 * told, in whichever process; the tools that the model asks for are told and not run.
 */
export const turnRuns = (options: TurnKindOptions): RunKind => talkKind(turnTalk(options));

/** The kind of the targets of profiles. What a profile takes is handed in as the options of the call. */
export const profileTurns = (profiles: Readonly<Record<string, () => Promise<AnyProfile>>>): RunKind =>
  turnRuns({
    prefixes: Object.keys(profiles),
    async compose({ target, input, options = {} }, ground) {
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
      const { files: project, hash, redactor } = ground;
      const given = { ...options, ...(input === undefined ? {} : { input }) };
      const composed = await composeTarget({ profiles: [profile], project, hash, redactor }, target, given);
      return composed.ok ? ok(composed.value) : diagnosed(composed.diagnostics);
    },
  });

function turnTalk({ prefixes, compose }: TurnKindOptions): TalkKind<TurnAbout> {
  /** What this process has composed and not told yet. */
  const fresh = new Map<RunId, GatedRequest>();
  return {
    name: 'turn',
    prefixes,
    lacks: {
      words: 'A prompt is told once: run it again with other words.',
      approvals: 'What the model asks for is told, and not run.',
      doubts: 'It does nothing but speak.',
      stalls: 'There is one turn.',
    },
    onAnswer,
    detail,
    async start(call, { run, ground }) {
      const composed = await compose(call, ground);
      if (!composed.ok) return composed;
      const { blocks, tools, params, request, diagnostics } = composed.value;
      fresh.set(run, request);
      const { model } = request.params;
      return ok({
        about: {
          hash: request.prompt.hash,
          ...(hidesReasoning(request) ? { hidesReasoning: true as const } : {}),
        },
        sources: {
          files: await filesTold(blocks, ground.files),
          about: { blocks, tools, params } as unknown as JsonValue,
        },
        diagnostics,
        ...(typeof model === 'string' ? { model } : {}),
      });
    },
    async compose({ facts, sources }, { run, ground }) {
      const known = fresh.get(run);
      fresh.delete(run);
      return known === undefined ? requestOf(sources.about, facts.about.hash, ground) : ok(known);
    },
  };
}

const onAnswer: NonNullable<ConversationConfig['onAnswer']> = (_, { end }) =>
  end.reason === 'done'
    ? { kind: 'done' }
    : {
        kind: 'fail',
        code: end.code ?? 'E_AGENT_TURN',
        message: end.message ?? `The turn ended: ${end.reason}.`,
      };

function detail({ facts, outcome }: Talk<TurnAbout>): { readonly [name: string]: JsonValue } {
  const { hash, hidesReasoning: isHidden } = facts.about;
  const { reasoning, calls = [], usage, end } = outcome ?? {};
  return {
    hash,
    ...(reasoning === undefined || isHidden === true ? {} : { reasoning }),
    calls: calls as unknown as JsonValue,
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
