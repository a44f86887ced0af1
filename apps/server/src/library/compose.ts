import type { AnswerOf, LIBRARY_ROUTES } from '@cuebook/api';
import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { type ComposedTarget, composeTarget, requireProfile, type TargetResult } from '@cuebook/profile';
import { type Prompt, renderDocument } from '@cuebook/prompt';
import type { Immutable } from '../http/group.js';
import type { Library } from './library.js';
import { isMadeByCode, profileOf } from './profiles.js';
import { type TargetTexts, textsOf } from './revision.js';

type Rendered = AnswerOf<(typeof LIBRARY_ROUTES)['renderTarget']>;

/** A target of a source, composed by the code of `render`: a definition as its run composes it. */
export async function composeIn(
  library: Library,
  target: string,
  { input, project }: { readonly input?: unknown; readonly project: TextSource },
): Promise<TargetResult> {
  const kind = target.slice(0, target.indexOf(':'));
  const profile = await profileOf(kind, library);
  const texts: TargetTexts =
    profile === undefined
      ? { ok: true, value: { project } }
      : await textsOf(library, target, { profile, now: project });
  if (!texts.ok) return texts;
  const bench = {
    ...library,
    profiles: profile === undefined ? [] : [profile],
    ...texts.value,
  };
  const composed = await composeTarget(bench, target, input);
  if (!composed.ok || !isMadeByCode(kind)) return composed;
  const found = requireProfile(bench.profiles, target);
  if (!found.ok) return found;
  const { composeAsRun } = await import('@cuebook/thread');
  return composeAsRun({ ...found, bench }, composed.value, input);
}

/** A composed target as it goes over the wire: confidential words are masked, with every offset as it is shown. */
export function requestOf(
  { prompt, tools, params, request }: ComposedTarget,
  reveal: boolean,
): Immutable<NonNullable<Rendered['now']>> {
  const masked = guard('library.mask', !reveal && isConfidential(prompt));
  const { blocks } = renderDocument({ profile: '', prompt, tokens: NOT_COUNTED, reveal: !masked });
  return {
    text: blocks.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n'),
    hash: prompt.hash,
    masked,
    blocks: blocks.map(({ name, role, text, hash, spans }) => ({
      name,
      role,
      text,
      hash,
      spans: [...spans],
    })),
    // Tools and parameters are JSON by the gates.
    tools: tools as unknown as NonNullable<Rendered['now']>['tools'],
    params: params as NonNullable<Rendered['now']>['params'],
    removed: [...request.removed],
  };
}

const isConfidential = ({ blocks }: Prompt): boolean =>
  blocks.some(({ spans }) => spans.some(({ secrecy }) => secrecy !== 'public'));
const NOT_COUNTED = { total: 0, byBlock: {} };
