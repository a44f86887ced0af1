import { signed } from '../src/exec/function-entry.js';
import type { MissingKey } from '../src/exec/state.js';
import { compareBytes } from '../src/fmt/bytes.js';
import { quoteString } from '../src/fmt/quote.js';
import { readJson } from '../src/json.js';
import type { RenderEngine } from '../src/render.js';
import { parseTemplate } from '../src/template.js';
import { Slice, Struct, type Value } from '../src/value/value.js';

/** A template with what it needs: fragments to include, and either the context of an agent or any data. */
export interface TemplateCase {
  readonly id: string;
  readonly tmpl: string;
  readonly lookup?: Readonly<Record<string, string>>;
  readonly ctx?: unknown;
  readonly data?: unknown;
  readonly missingkey?: string;
}

/** What became of a case. */
export interface TemplateAnswer {
  readonly id: string;
  readonly ok: boolean;
  readonly out: string | null;
  readonly err: string | null;
  readonly bytes?: Uint8Array;
}

/**
 * Answers a case, given as a line of JSON (whose numbers then are as written: `1` an int, `1.0` a float64) or as
 * an object. The errors have the words around them that a cluster puts there.
 */
export function runTemplateCase(line: string | TemplateCase, engine: RenderEngine): TemplateAnswer {
  const read =
    typeof line === 'string' ? readJson(line) : { ok: true as const, value: line as unknown as Value };
  if (!read.ok) return failed('', `the line is no JSON: ${read.error.message} at ${read.error.index}`);
  const { value } = read;
  const id = textAt(value, 'id');
  const lookup = member(value, 'lookup');
  const known = lookup instanceof Map ? lookup : new Map(Object.entries((lookup ?? {}) as object));
  const missingKey = textAt(value, 'missingkey') as MissingKey | '';
  const parsed = parseTemplate({
    name: 'systemMessage',
    text: textAt(value, 'tmpl'),
    functions: { include: signed(['string'], (path: string) => include(known, path)) },
    ...(missingKey === '' ? {} : { missingKey }),
    engine,
  });
  if (!parsed.ok) return failed(id, `failed to parse system message template: ${parsed.error.message}`);
  const context = member(value, 'ctx');
  const rendered = parsed.value.render(context ? agentContext(context) : member(value, 'data'));
  if (!rendered.ok) return failed(id, `failed to execute system message template: ${rendered.error.message}`);
  const { text, bytes } = rendered.value;
  return { id, ok: true, out: text, err: null, bytes };
}

const failed = (id: string, err: string): TemplateAnswer => ({ id, ok: false, out: null, err });

function include(known: ReadonlyMap<string, Value>, path: string): Value {
  const text = known.get(path);
  if (text !== undefined) return text;
  const names = [...known.keys()].sort(compareBytes).join(' ');
  throw new Error(`prompt template ${quoteString(path)} not found in promptSources, available: [${names}]`);
}

/** The declared fields of an agent. */
function agentContext(context: Value): Struct {
  const list = (name: string): Slice => {
    const items = member(context, name);
    return Array.isArray(items) ? new Slice('string', items) : new Slice('string', [], true);
  };
  return new Struct('agent.PromptTemplateContext', [
    ['AgentName', textAt(context, 'AgentName')],
    ['AgentNamespace', textAt(context, 'AgentNamespace')],
    ['Description', textAt(context, 'Description')],
    ['ToolNames', list('ToolNames')],
    ['SkillNames', list('SkillNames')],
  ]);
}

function member(value: Value, name: string): Value {
  if (value instanceof Map) return value.get(name);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as { readonly [key: string]: Value })[name];
}

function textAt(value: Value, name: string): string {
  const text = member(value, name);
  return typeof text === 'string' ? text : '';
}
