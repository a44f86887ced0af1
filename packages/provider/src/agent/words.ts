import type { Block, GatedRequest } from '@cuebook/prompt';

/** A request as Codex takes it. */
export interface Words {
  /** The system-role blocks, in order. */
  readonly instructions: string;
  /** All other blocks, in order; those that are not the user's say whose they are. */
  readonly text: string;
  readonly images: readonly string[];
}

/** What of a request goes where. Pure. */
export function wordsOf({ prompt }: Pick<GatedRequest, 'prompt'>): Words {
  const system = prompt.blocks.filter(({ role }) => role === 'system');
  const others = prompt.blocks.filter(({ role }) => role !== 'system');
  return {
    instructions: join(system.map(({ text }) => text)),
    text: join(others.map(spoken)),
    images: others.flatMap(({ media = [] }) =>
      media
        .filter(({ type }) => type.startsWith('image/'))
        .map(({ type, data }) => `data:${type};base64,${data}`),
    ),
  };
}

/** Everything in one text, in order, for a program that takes nothing else. */
export const oneText = ({ instructions, text }: Words): string => join([instructions, text]);

/**
 * An agent keeps its own history, so blocks of an earlier conversation come as text. A call and its result are
 * told by name: nothing in them is to be done again.
 */
function spoken({ role, text, calls = [], callId }: Block): string {
  if (role === 'user') return text;
  if (role === 'tool') return join([`Result of the earlier call ${callId ?? '(unnamed)'}:`, text]);
  const made = calls.map(({ id, name, args }) => `Earlier call ${id}: ${name} ${JSON.stringify(args)}`);
  return join(['Earlier answer:', text, ...made]);
}

const join = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');
