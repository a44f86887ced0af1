import type { ExportPrompt, ExportReport } from '../writer.js';

type Plain = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a setting is in the body of a request; undefined where the API has none like it. */
type Written = (value: unknown) => Plain | undefined;

const under =
  (key: string): Written =>
  (value) => ({ [key]: value });
const none: Written = () => undefined;
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const OPENAI: Readonly<Record<string, Written>> = {
  maxOutputTokens: under('max_completion_tokens'),
  topP: under('top_p'),
  topK: none,
  presencePenalty: under('presence_penalty'),
  frequencyPenalty: under('frequency_penalty'),
  reasoningEffort: under('reasoning_effort'),
  reasoningTokens: none,
  toolChoice: (choice) => ({
    tool_choice: isMap(choice) ? { type: 'function', function: { name: choice.tool } } : choice,
  }),
  parallelToolCalls: under('parallel_tool_calls'),
  responseFormat: (format) => ({
    response_format: isMap(format)
      ? { type: 'json_schema', json_schema: { name: format.name ?? 'response', schema: format.schema } }
      : { type: format === 'json' ? 'json_object' : format },
  }),
  providerOptions: none,
};

const ANTHROPIC: Readonly<Record<string, Written>> = {
  maxOutputTokens: under('max_tokens'),
  topP: under('top_p'),
  topK: under('top_k'),
  presencePenalty: none,
  frequencyPenalty: none,
  seed: none,
  stop: (stop) => ({ stop_sequences: listed(stop) }),
  reasoningEffort: none,
  reasoningTokens: (tokens) => ({ thinking: { type: 'enabled', budget_tokens: tokens } }),
  toolChoice: (choice) => ({
    tool_choice: isMap(choice)
      ? { type: 'tool', name: choice.tool }
      : { type: choice === 'required' ? 'any' : choice },
  }),
  parallelToolCalls: none,
  responseFormat: (format) =>
    isMap(format)
      ? { output_config: { format: { type: 'json_schema', schema: format.schema } } }
      : format === 'text'
        ? {}
        : undefined,
  providerOptions: none,
};

export const VENDORS = { openai: OPENAI, anthropic: ANTHROPIC } as const;

/** The settings of a prompt as the API of a vendor calls them. One that it does not have is named and left out. */
export function vendorSettings(
  { params }: ExportPrompt,
  vendor: keyof typeof VENDORS,
  report: ExportReport,
): Plain {
  const table = VENDORS[vendor];
  const lost: string[] = [];
  const written = Object.entries(params).flatMap(([key, value]) => {
    const found = Object.hasOwn(table, key) ? table[key]?.(value) : { [key]: value };
    if (found === undefined) lost.push(key);
    return Object.entries(found ?? {});
  });
  if (lost.length > 0)
    report.warn('W_EXPORT_LOST', `the format has no place for the parameters ${lost.join(', ')}`);
  return Object.fromEntries(written);
}
