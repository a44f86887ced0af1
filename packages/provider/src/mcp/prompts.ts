import { guard } from '@cuebook/guard';
import { type Fields, isFields } from '../agent/fields.js';
import { failure, type Id, INVALID_PARAMS, success } from './rpc.js';

/** A prompt as clients list it. Its arguments are texts: the protocol has no others. */
export interface McpPrompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments?: readonly McpPromptArgument[];
}

export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** The messages of a prompt; the protocol knows no system role. */
export type McpPromptAnswer =
  | {
      readonly ok: true;
      readonly description?: string;
      readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
    }
  /** `code` is one of ours, such as E_INPUT. */
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The prompts that a server offers. */
export interface McpPrompts {
  readonly list: () => readonly McpPrompt[];
  /** Only for names of `list`. A rejection becomes an error that tells nothing. */
  readonly get: (name: string, args: Readonly<Record<string, string>>) => Promise<McpPromptAnswer>;
}

/** Answers `prompts/get`. */
export async function getPrompt(prompts: McpPrompts, id: Id, params: Fields): Promise<unknown> {
  const { name, arguments: given = {} } = params;
  const known = prompts.list().find((prompt) => prompt.name === name);
  if (guard('mcp.unknown-prompt', known === undefined)) return failure(id, INVALID_PARAMS, 'no such prompt');
  if (!isFields(given) || !Object.values(given).every((value) => typeof value === 'string')) {
    return failure(id, INVALID_PARAMS, 'arguments have to be an object of strings');
  }
  const answer = await prompts
    .get(String(name), given as Readonly<Record<string, string>>)
    .catch((): McpPromptAnswer => ({ ok: false, code: 'E_INTERNAL', message: 'the prompt failed' }));
  if (!answer.ok) {
    return failure(id, INVALID_PARAMS, `${answer.code} ${answer.message}`, { code: answer.code });
  }
  const { description, messages } = answer;
  return success(id, {
    ...(description === undefined ? {} : { description }),
    messages: messages.map(({ role, text }) => ({ role, content: { type: 'text', text } })),
  });
}
