import { anthropic } from './protocol/anthropic.js';
import { google } from './protocol/google.js';
import { openaiChat } from './protocol/openai-chat.js';
import { openaiResponses } from './protocol/openai-responses.js';
import type { Protocol } from './protocol/protocol.js';

/** Which API a path below the lane belongs to. */
export function protocolAt(path: string): Protocol | undefined {
  const [route = ''] = path.split('?');
  return ROUTES.find(([pattern]) => pattern.test(route))?.[1];
}

const ROUTES: readonly (readonly [RegExp, Protocol])[] = [
  [/\/messages(?:\/count_tokens)?$/, anthropic],
  [/^\/api\/hello$|^\/$|^$/, anthropic],
  [/\/responses$/, openaiResponses],
  [/\/models$/, openaiResponses],
  [/\/chat\/completions$/, openaiChat],
  [/\/models\/[^/]+:(?:generateContent|streamGenerateContent|countTokens)$/, google],
];
