import {
  type MissingKey,
  nilSlice,
  parseTemplate,
  type RenderEngine,
  readJson,
  type Slice,
  type Struct,
  signed,
  slice,
  struct,
  type Value,
} from '@cuebook/template';

/** What became of a case. */
export interface CaseAnswer {
  readonly ok: boolean;
  readonly out: string | null;
  readonly err: string | null;
}

/**
 * Answers a line of JSON, `{tmpl, lookup, ctx or data, missingkey}`: a template with the fragments that it may include,
 * and either the context of an agent or any data. Numbers are as written: `1` is an int, `1.0` a float64. The errors
 * have the words around them that a cluster puts there.
 */
export function answerCase(line: string, engine: RenderEngine): CaseAnswer {
  const read = readJson(line);
  if (!read.ok) return failed(`the line is no JSON: ${read.error.message} at ${read.error.index}`);
  const { value } = read;
  const lookup = member(value, 'lookup');
  const known: ReadonlyMap<string, Value> = lookup instanceof Map ? lookup : new Map();
  const missingKey = textAt(value, 'missingkey') as MissingKey | '';
  const parsed = parseTemplate({
    name: 'systemMessage',
    text: textAt(value, 'tmpl'),
    functions: { include: signed(['string'], (path: string) => include(known, path)) },
    ...(missingKey === '' ? {} : { missingKey }),
    engine,
  });
  if (!parsed.ok) return failed(`failed to parse system message template: ${parsed.error.message}`);
  const context = member(value, 'ctx');
  const rendered = parsed.value.render(context ? agentContext(context) : member(value, 'data'));
  if (!rendered.ok) return failed(`failed to execute system message template: ${rendered.error.message}`);
  return { ok: true, out: rendered.value.text, err: null };
}

const failed = (err: string): CaseAnswer => ({ ok: false, out: null, err });

function include(known: ReadonlyMap<string, Value>, path: string): Value {
  const text = known.get(path);
  if (text !== undefined) return text;
  const names = [...known.keys()].sort((left, right) =>
    Buffer.compare(Buffer.from(left), Buffer.from(right)),
  );
  throw new Error(
    `prompt template ${quote(path)} not found in promptSources, available: [${names.join(' ')}]`,
  );
}

/** A text in quotes as Go writes it. */
function quote(text: string): string {
  const template = parseTemplate({ name: 'quote', text: '{{printf "%q" .}}', engine: 'closures' });
  const quoted = template.ok ? template.value.render(text) : undefined;
  return quoted?.ok ? quoted.value.text : '""';
}

/** The declared fields of an agent. */
function agentContext(context: Value): Struct {
  const list = (name: string): Slice => {
    const items = member(context, name);
    return Array.isArray(items) ? slice('string', items) : nilSlice('string');
  };
  return struct('agent.PromptTemplateContext', {
    AgentName: textAt(context, 'AgentName'),
    AgentNamespace: textAt(context, 'AgentNamespace'),
    Description: textAt(context, 'Description'),
    ToolNames: list('ToolNames'),
    SkillNames: list('SkillNames'),
  });
}

const member = (value: Value, name: string): Value => (value instanceof Map ? value.get(name) : undefined);

function textAt(value: Value, name: string): string {
  const text = member(value, name);
  return typeof text === 'string' ? text : '';
}
