/** What the formats call our parameters. A key of the body that stands for none of them is the format's own. */
const KEYS: Readonly<Record<string, string>> = {
  model: 'model',
  temperature: 'temperature',
  max_tokens: 'maxOutputTokens',
  max_output_tokens: 'maxOutputTokens',
  max_completion_tokens: 'maxOutputTokens',
  maxOutputTokens: 'maxOutputTokens',
  top_p: 'topP',
  topP: 'topP',
  top_k: 'topK',
  topK: 'topK',
  presence_penalty: 'presencePenalty',
  presencePenalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  frequencyPenalty: 'frequencyPenalty',
  seed: 'seed',
  stop: 'stop',
  stop_sequences: 'stop',
  stopSequences: 'stop',
  tool_choice: 'toolChoice',
  toolConfig: 'toolChoice',
  response_format: 'responseFormat',
  responseSchema: 'responseFormat',
  responseMimeType: 'responseFormat',
  output_format: 'responseFormat',
  output_config: 'responseFormat',
  text: 'responseFormat',
  reasoning: 'reasoningEffort',
  reasoning_effort: 'reasoningEffort',
  thinking: 'reasoningEffort',
  thinkingConfig: 'reasoningEffort',
  parallel_tool_calls: 'parallelToolCalls',
};

/** The parameter that a key at the top of a body, or of its settings, stands for, where the request has one. */
export function paramOf(key: string, params: Readonly<Record<string, unknown>>): string | undefined {
  const name = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (name === undefined) return undefined;
  // Who is asked may be told beside the request.
  if (name === 'model' || Object.hasOwn(params, name)) return name;
  return name === 'reasoningEffort' && Object.hasOwn(params, 'reasoningTokens')
    ? 'reasoningTokens'
    : undefined;
}

/** An object at the top of a body whose keys are settings like those beside it. */
export const SETTINGS = 'generationConfig';
/** An object at the top of a body that holds the parameters by our own names. */
export const OWN_PARAMS = 'params';
