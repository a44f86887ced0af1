import type { OfferedTool, RenderDocument } from '@cuebook/prompt';
import type { RequestChecks } from '../case-file.js';
import type { Failed } from './failed.js';
import { checkText } from './text.js';
import { lacks } from './value.js';

/** What a request lacks of what is expected. Texts are as `render` shows them: confidential parts are masked. */
export function checkRequest(document: RenderDocument, checks: RequestChecks): readonly Failed[] {
  const { system, user, tokens, tools, params, hash } = checks;
  const { messages } = document;
  const textOf = (role?: string): string =>
    messages
      .filter((message) => role === undefined || message.role === role)
      .map(({ content }) => content)
      .join('\n\n');
  return [
    ...checkText(textOf(), checks, 'request'),
    ...(system ? checkText(textOf('system'), system, 'request.system') : []),
    ...(user ? checkText(textOf('user'), user, 'request.user') : []),
    ...checkTokens(document.tokens.total, tokens),
    ...(tools ? checkTools(document.tools, tools) : []),
    ...Object.entries(params ?? {}).flatMap(([name, expected]): Failed[] => {
      const missing = lacks(document.params[name], expected, name);
      return missing === undefined ? [] : [{ path: `request.params.${name}`, message: missing }];
    }),
    ...(hash !== undefined && hash !== document.hash
      ? [{ path: 'request.hash', message: `it is ${document.hash}` }]
      : []),
  ];
}

function checkTokens(total: number, tokens: RequestChecks['tokens']): readonly Failed[] {
  const { min = 0, max = Number.POSITIVE_INFINITY } = tokens ?? {};
  if (total >= min && total <= max) return [];
  const [path, limit] = total < min ? ['min', min] : ['max', max];
  return [{ path: `request.tokens.${path}`, message: `it has ${total} tokens, and ${limit} is the limit` }];
}

function checkTools(tools: readonly unknown[], expected: readonly string[]): readonly Failed[] {
  const names = tools.map((tool) => (tool as OfferedTool).name);
  const missing = expected.filter((name) => !names.includes(name));
  const more = names.filter((name) => !expected.includes(name));
  const told = [
    ...(missing.length > 0 ? [`${missing.join(', ')} missing`] : []),
    ...(more.length > 0 ? [`${more.join(', ')} not expected`] : []),
  ];
  return told.length === 0 ? [] : [{ path: 'request.tools', message: told.join('; ') }];
}
