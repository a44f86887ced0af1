import { field } from '../request.js';
import { refuseGenerate, SIGNATURE } from '../rules/google.js';
import { cut, type Step, usageOf } from '../step.js';
import type { Protocol } from './protocol.js';

/** Google's generateContent and streamGenerateContent. */
export const google: Protocol = {
  name: 'google',

  credential: ({ headers, path }) => {
    const key = headers['x-goog-api-key'] ?? new URLSearchParams(path.split('?')[1] ?? '').get('key');
    return typeof key === 'string' ? key : undefined;
  },

  refuse: ({ body, path, headers }) => {
    // Gemini CLI tells a result twice when it goes on with a session of another process: that is its own affair.
    const isForeign = /GeminiCLI/i.test(headers['user-agent'] ?? '');
    return path.includes(':countTokens') || isForeign ? undefined : refuseGenerate(body, modelOf(path));
  },

  side({ body, path }) {
    if (path.includes(':countTokens')) return {};
    if (path.includes(':streamGenerateContent')) return undefined;
    const config = JSON.stringify(field(body, 'generationConfig') ?? '');
    if (config.includes('model_choice')) return { text: '{"reasoning":"test","model_choice":"flash"}' };
    if (path.includes('flash-lite')) return { text: 'A session.' };
    return undefined;
  },

  streams: ({ path }) => path.includes(':streamGenerateContent'),

  stream(step, { path }, ids) {
    const base = { modelVersion: modelOf(path), responseId: ids.next('resp') };
    const usageMetadata = usageBody(step);
    const chunk = (parts: readonly unknown[], more: object = {}): string =>
      frame({
        candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
        usageMetadata,
        ...base,
      });
    const opening = [
      ...cut(step.reasoning ?? '', step).map((text) => chunk([{ text, thought: true }])),
      ...cut(step.text ?? '', step).map((text) => chunk([{ text }])),
    ];
    return { opening, closing: [chunk(lastParts(step), { finishReason: finishReason(step) })] };
  },

  plain(step, { path }, ids) {
    if (path.includes(':countTokens')) return { totalTokens: usageOf(step).input };
    const parts = [
      ...(step.reasoning === undefined ? [] : [{ text: step.reasoning, thought: true }]),
      ...(step.text === undefined ? [] : [{ text: step.text }]),
      ...calls(step),
    ];
    const candidate = { content: { role: 'model', parts }, finishReason: finishReason(step), index: 0 };
    return {
      candidates: [candidate],
      usageMetadata: usageBody(step),
      modelVersion: modelOf(path),
      responseId: ids.next('resp'),
    };
  },

  streamError: ({ type = 'INTERNAL', message }) => frame({ error: { code: 500, message, status: type } }),

  errorBody: (status, message) => ({
    error: {
      code: status,
      message,
      status: STATUSES[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'),
    },
  }),
};

const STATUSES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/** This API ends its lines with both characters. */
const frame = (data: unknown): string => `data: ${JSON.stringify(data)}\r\n\r\n`;

const modelOf = (path: string): string => /models\/([^:?]+)/.exec(path)?.[1] ?? 'unknown';

const calls = (step: Step): readonly unknown[] =>
  (step.toolCalls ?? []).map(({ id, name, args }, index) => ({
    functionCall: { ...(id !== undefined && { id }), name, args: args ?? {} },
    // Parallel calls share the signature of the first.
    ...(index === 0 && { thoughtSignature: SIGNATURE }),
  }));

const lastParts = (step: Step): readonly unknown[] => {
  const parts = calls(step);
  return parts.length > 0 ? parts : [{ text: '' }];
};

function finishReason(step: Step): string {
  if (step.stop === 'length' || step.stop === 'context-window') return 'MAX_TOKENS';
  return step.stop === 'content-filter' ? 'SAFETY' : 'STOP';
}

function usageBody(step: Step) {
  const { input, output, cached, reasoning } = usageOf(step);
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
  };
}
