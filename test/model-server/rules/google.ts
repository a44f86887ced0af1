import { field, listOf } from '../request.js';
import { googleProblem } from './schema.js';

/** What generateContent answers with 400, in its words, by its documentation. */
export function refuseGenerate(body: unknown, model: string): string | undefined {
  const contents = listOf(field(body, 'contents'));
  if (contents.length === 0) return '* GenerateContentRequest.contents: contents is not specified';
  const odd = Object.keys(body as object).find((key) => !FIELDS.has(key));
  if (odd !== undefined) return `Invalid JSON payload received. Unknown name "${odd}": Cannot find field.`;
  return (
    refuseContents(contents) ??
    refuseSignatures(contents, model) ??
    refuseTools(body) ??
    refuseConfig(body, model)
  );
}

const FIELDS: ReadonlySet<string> = new Set(
  'contents systemInstruction system_instruction tools toolConfig tool_config generationConfig generation_config safetySettings safety_settings cachedContent cached_content labels serviceTier store'.split(
    ' ',
  ),
);

/** The value that the documentation gives to those who have lost a signature. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

const callsOf = (content: unknown) =>
  listOf(field(content, 'parts')).filter((part) => field(part, 'functionCall') !== undefined);
const resultsOf = (content: unknown) =>
  listOf(field(content, 'parts')).filter((part) => field(part, 'functionResponse') !== undefined);

function refuseContents(contents: readonly unknown[]): string | undefined {
  for (const [index, content] of contents.entries()) {
    const role = field(content, 'role') ?? 'user';
    if (role !== 'user' && role !== 'model' && role !== 'function')
      return 'Please use a valid role: user, model.';
    const parts = listOf(field(content, 'parts'));
    if (parts.length === 0)
      return `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`;
    if (parts.some((part) => Object.keys(part as object).every((key) => key === 'thoughtSignature')))
      return `* GenerateContentRequest.contents[${index}].parts[0].data: required oneof field 'data' must have one initialized field`;
    const before = contents[index - 1];
    const calls = callsOf(content);
    const results = resultsOf(content);
    if (calls.length > 0 && (role !== 'model' || before === undefined || field(before, 'role') === 'model'))
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    const asked = before === undefined ? [] : callsOf(before);
    if (results.length > 0 && asked.length === 0)
      return 'Please ensure that function response turn comes immediately after a function call turn.';
    if (asked.length !== results.length)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    const names = (list: readonly unknown[], key: string) => list.map((part) => field(part, key, 'name'));
    const isOther = names(results, 'functionResponse').some(
      (name, at) => name !== names(asked, 'functionCall')[at],
    );
    if (isOther)
      return 'Please ensure that function response parts are in the order of their function calls.';
  }
  const last = contents.at(-1);
  if (field(contents[0], 'role') === 'model')
    return 'Please ensure that multiturn requests alternate between user and model, beginning with user.';
  return field(last, 'role') === 'model'
    ? 'Please ensure that multiturn requests end with a user role or a function response.'
    : undefined;
}

/** Of the turn that runs, the first call of each answer carries the signature that came with it. */
function refuseSignatures(contents: readonly unknown[], model: string): string | undefined {
  if (!/gemini-[3-9]/.test(model)) return undefined;
  const begin = contents.findLastIndex(
    (content) => field(content, 'role') === 'user' && resultsOf(content).length === 0,
  );
  for (const content of contents.slice(begin + 1)) {
    const [first] = callsOf(content);
    if (first === undefined) continue;
    const signature = field(first, 'thoughtSignature');
    const name = field(first, 'functionCall', 'name');
    if (typeof signature !== 'string' || signature === '')
      return `Function call \`${name}\` is missing a thought_signature in functionCall parts.`;
    if (signature !== SIGNATURE && signature !== NO_SIGNATURE) return 'Thought signature is not valid.';
  }
  return undefined;
}

/** What a signed call carries; opaque to whoever sends it back. */
export const SIGNATURE = 'c2lnbmVkIGJ5IGdlbWluaQ==';

function refuseTools(body: unknown): string | undefined {
  const tools = listOf(field(body, 'tools')).flatMap((tool) => listOf(field(tool, 'functionDeclarations')));
  const names = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    const place = `GenerateContentRequest.tools[0].function_declarations[${index}]`;
    const name = field(tool, 'name');
    if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(String(name)))
      return `* ${place}.name: Invalid function name.`;
    if (names.has(name)) return `Duplicate function declaration found: ${name}`;
    names.add(name);
    const parameters = field(tool, 'parameters');
    if (parameters === undefined) continue;
    const problem = googleProblem(parameters, `${place}.parameters`);
    if (problem !== undefined) return `* ${problem}`;
    if (Object.keys(Object(field(parameters, 'properties'))).length === 0)
      return `* ${place}.parameters.properties: should be non-empty for OBJECT type`;
  }
  const config = field(body, 'toolConfig', 'functionCallingConfig');
  const stray = listOf(field(config, 'allowedFunctionNames')).find((name) => !names.has(name));
  return stray === undefined ? undefined : `allowed_function_names: unknown function ${stray}`;
}

function refuseConfig(body: unknown, model: string): string | undefined {
  const config = field(body, 'generationConfig');
  const hasTools = listOf(field(body, 'tools')).some(
    (tool) => listOf(field(tool, 'functionDeclarations')).length,
  );
  const isOld = /gemini-[12][.-]/.test(model);
  if (isOld && hasTools && field(config, 'responseMimeType') === 'application/json')
    return "Function calling with a response mime type: 'application/json' is unsupported";
  const schema = field(config, 'responseSchema');
  if (schema !== undefined) {
    if (field(config, 'responseMimeType') !== 'application/json')
      return 'response_schema is set and response_mime_type is not application/json';
    const problem = googleProblem(schema, 'generation_config.response_schema');
    if (problem !== undefined) return `* ${problem}`;
  }
  if (listOf(field(config, 'stopSequences')).length > 5) return 'stop_sequences: at most 5 are allowed';
  const temperature = field(config, 'temperature');
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 2))
    return 'temperature: must be in the range [0.0, 2.0]';
  return refuseThinking(field(config, 'thinkingConfig'), model);
}

function refuseThinking(thinking: unknown, model: string): string | undefined {
  const [budget, level] = [field(thinking, 'thinkingBudget'), field(thinking, 'thinkingLevel')];
  if (budget !== undefined && level !== undefined)
    return 'You can only set only one of thinking budget and thinking level.';
  if (!/gemini-\d/.test(model)) return undefined;
  if (/gemini-(?:1|2\.0)/.test(model) && (budget !== undefined || level !== undefined))
    return 'Thinking is not supported by this model.';
  const isPro = model.includes('pro');
  if (/gemini-2\.5/.test(model)) {
    if (level !== undefined) return 'Thinking level is not supported for this model.';
    if (budget === 0 && isPro) return 'Budget 0 is invalid. This model only works in thinking mode.';
    const [least, most] = isPro ? [128, 32_768] : model.includes('lite') ? [512, 24_576] : [0, 24_576];
    if (
      budget !== undefined &&
      budget !== -1 &&
      budget !== 0 &&
      !(Number(budget) >= least && Number(budget) <= most)
    )
      return `The thinking budget ${budget} is invalid. Please choose a value between ${least} and ${most}.`;
    return undefined;
  }
  if (level === undefined) return undefined;
  const known = isPro
    ? /gemini-3-/.test(model)
      ? ['low', 'high']
      : ['low', 'medium', 'high']
    : ['minimal', 'low', 'medium', 'high'];
  return known.includes(String(level).toLowerCase())
    ? undefined
    : `Thinking level ${String(level).toUpperCase()} is not supported for this model.`;
}
