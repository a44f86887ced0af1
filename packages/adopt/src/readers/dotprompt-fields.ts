import type { YamlSource } from '@cuebook/yaml';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftInput, DraftSheet, DraftTool } from '../draft.js';
import { inputName } from '../names.js';
import { readSettings } from '../settings.js';
import type { LineColumn } from '../text/mapped.js';
import { isSendable } from '../text/numbers.js';
import { keptUnderMeta } from './json-source.js';
import { picoschema } from './picoschema.js';

/** What the fields of a dotprompt file say, as a sheet has it. */
export interface DotpromptFields extends Pick<DraftSheet, 'params' | 'tools' | 'answer' | 'meta' | 'title'> {
  readonly inputs: ReadonlyMap<string, Partial<DraftInput>>;
  readonly required: (name: string) => boolean;
}

type Plain = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Whether a key has its place in the sheet, or a line of its own below. What is of another kind is kept under `meta`. */
function isHeld(key: string, value: unknown): boolean {
  if (value === null)
    return ['description', 'model', 'config', 'tools', 'toolDefs', 'input', 'output'].includes(key);
  if (key === 'description' || key === 'model') return typeof value === 'string';
  if (key === 'config') return isMap(value) && isSendable(value);
  if (key === 'tools') return Array.isArray(value) && value.every((name) => typeof name === 'string');
  if (key === 'toolDefs') return Array.isArray(value) && value.every(isMap);
  return key === 'input' || key === 'output';
}

export function dotpromptFields(
  yaml: YamlSource | undefined,
  firstLine: number,
  report: Reporter,
  /** Inputs that a template looks at: they keep their type. */
  isJson: (name: string) => boolean = () => false,
): DotpromptFields {
  const value: Plain = isMap(yaml?.value) ? yaml.value : {};
  const at = (...path: readonly string[]): LineColumn => {
    const { line = 1, column = 1 } = yaml?.place(path) ?? {};
    return { line: line + firstLine - 1, column };
  };
  const meta: Record<string, unknown> = {};
  const keep = (keys: readonly string[]): void => {
    for (const key of keys) meta[key] = value[key];
    const [first] = keys;
    if (first !== undefined) report.info('W_IMPORT_KEY', at(first), keptUnderMeta(keys));
  };
  keep(Object.keys(value).filter((key) => !isHeld(key, value[key])));
  const { answer, isJson: asksJson = false, isLost, others } = answerOf(value.output);
  if (isLost) {
    meta.output = value.output;
    report.warning(
      'W_IMPORT_KEY',
      at('output'),
      'The form of the answer is kept under meta and not asked of the model',
    );
  }
  if (others.length > 0) {
    meta.output = value.output;
    report.info('W_IMPORT_KEY', at('output'), keptUnderMeta(others.map((key) => `output.${key}`)));
  }
  const tools = toolsOf(value, at, report, meta);
  const inputs = inputsOf(value.input, at, report, isJson);
  const model = typeof value.model === 'string' ? { model: value.model } : {};
  const config = isMap(value.config) && isSendable(value.config) ? value.config : {};
  const settings = readSettings(config, report, (key) => at('config', key), { kept: 'meta.config' });
  if (Object.keys(settings.others).length > 0) meta.config = settings.others;
  if (Object.keys(settings.names).length > 0) meta.settingNames = settings.names;
  return {
    ...(typeof value.description === 'string' ? { title: value.description } : {}),
    params: { ...model, ...settings.params, ...(asksJson ? { responseFormat: 'json' } : {}) },
    tools,
    ...(answer === undefined ? {} : { answer }),
    meta,
    inputs,
    required: (name) => inputs.get(inputName(name))?.required ?? false,
  };
}

function answerOf(output: unknown): {
  readonly answer?: NonNullable<DraftSheet['answer']>;
  /** JSON of any form. */
  readonly isJson?: boolean;
  readonly isLost: boolean;
  /** Keys that say nothing of the form. */
  readonly others: readonly string[];
} {
  if (!isMap(output)) return { isLost: output !== undefined && output !== null, others: [] };
  const { schema, format, ...more } = output;
  const others = Object.keys(more);
  const asked = isJsonSchema(schema) ? schema : picoschema(schema);
  const isStructure = isMap(asked?.properties) || asked?.type === 'object' || asked?.type === 'array';
  if (asked !== undefined && isStructure && (format === undefined || format === 'json'))
    return { answer: { schema: asked }, isLost: false, others };
  if (schema === undefined && format === 'json') return { isJson: true, isLost: false, others };
  return { isLost: schema !== undefined || (format !== undefined && format !== 'text'), others };
}

/** As the library tells it: everything else is picoschema. */
const isJsonSchema = (schema: unknown): schema is Plain =>
  isMap(schema) &&
  (isMap(schema.properties) ||
    ['string', 'number', 'integer', 'boolean', 'null', 'any', 'object', 'array'].includes(
      String(schema.type),
    ));

function toolsOf(
  value: Plain,
  at: (...path: readonly string[]) => LineColumn,
  report: Reporter,
  meta: Record<string, unknown>,
): readonly DraftTool[] {
  const defined = (Array.isArray(value.toolDefs) ? value.toolDefs : []).filter(isMap);
  const tools = defined.flatMap((tool): readonly DraftTool[] => {
    if (typeof tool.name !== 'string') {
      report.warning('W_IMPORT_TOOL', at('toolDefs'), 'A tool without a name was not kept');
      return [];
    }
    const { inputSchema: written } = tool;
    const schema = isJsonSchema(written) ? written : picoschema(written);
    if (schema === undefined && written !== undefined && written !== null) {
      meta.toolDefs = value.toolDefs;
      report.warning(
        'W_IMPORT_TOOL',
        at('toolDefs'),
        `The parameters of ${quote(tool.name)} name a type that dotprompt looks up elsewhere, or are no schema; they are kept under meta: write them as JSON Schema`,
      );
    }
    const others = Object.keys(tool).filter(
      (key) =>
        !['name', 'description', 'inputSchema', 'outputSchema'].includes(key) ||
        (key === 'description' && typeof tool.description !== 'string'),
    );
    if (others.length > 0)
      report.warning(
        'W_IMPORT_TOOL',
        at('toolDefs'),
        `Not kept of ${quote(tool.name)}: ${others.map((key) => quote(key)).join(', ')}`,
      );
    if (tool.outputSchema !== undefined)
      report.warning(
        'W_IMPORT_TOOL',
        at('toolDefs'),
        `The schema of what ${quote(tool.name)} answers was not kept`,
      );
    return [
      {
        name: tool.name,
        ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
        ...(schema === undefined ? {} : { parameters: schema }),
      },
    ];
  });
  const names = (Array.isArray(value.tools) ? value.tools : []).map(String);
  const unknown = names.filter((name) => !tools.some((tool) => tool.name === name));
  if (unknown.length > 0) {
    meta.tools = unknown;
    report.warning(
      'W_IMPORT_TOOL',
      at('tools'),
      `The tools ${unknown.map((name) => quote(name)).join(', ')} are named without their schema; they are kept under meta and not offered to the model`,
    );
  }
  return tools;
}

function inputsOf(
  input: unknown,
  at: (...path: readonly string[]) => LineColumn,
  report: Reporter,
  isJson: (name: string) => boolean,
): ReadonlyMap<string, Partial<DraftInput>> {
  const inputs = new Map<string, Partial<DraftInput>>();
  if (input === undefined || input === null) return inputs;
  const lost = !isMap(input)
    ? ['input']
    : input.schema !== undefined && input.schema !== null && !isMap(input.schema)
      ? ['input', 'schema']
      : Object.keys(input)
          .filter((key) => key !== 'schema' && key !== 'default')
          .slice(0, 1)
          .flatMap((key) => ['input', key]);
  if (lost.length > 0)
    report.warning(
      'W_IMPORT_KEY',
      at(...lost),
      `Not kept: ${quote(lost.join('.'))}, which does not describe the inputs here`,
    );
  if (!isMap(input)) return inputs;
  if (input.default !== undefined && input.default !== null && !isMap(input.default))
    report.warning('W_IMPORT_KEY', at('input', 'default'), 'Not kept: "input.default", which is not a map');
  const schema = isMap(input.schema) ? input.schema : {};
  const isJsonSchema = isMap(schema.properties);
  const properties = isJsonSchema ? (schema.properties as Plain) : schema;
  const listed = Array.isArray(schema.required) ? schema.required : [];
  for (const [key, type] of Object.entries(properties)) {
    const match = /^([^?(]+)(\?)?(?:\((\w+)(?:,\s*(.*))?\))?$/.exec(key);
    const name = match?.[1] ?? key;
    const written =
      typeof type === 'string' ? type : isMap(type) && typeof type.type === 'string' ? type.type : 'object';
    const kind = match?.[3] ?? written.split(',')[0]?.trim() ?? '';
    const description = match?.[4] ?? (isMap(type) ? type.description : /,\s*(.*)$/.exec(written)?.[1]);
    if (kind !== 'string' && !isJson(name))
      report.info(
        'W_IMPORT_KEY',
        at('input', 'schema', key),
        `The input ${quote(name)} of type ${quote(kind)} became a text`,
      );
    inputs.set(inputName(name), {
      required: isJsonSchema ? listed.includes(name) : match?.[2] === undefined,
      ...(typeof description === 'string' && description !== '' ? { description } : {}),
    });
  }
  for (const [name, value] of Object.entries(isMap(input.default) ? input.default : {})) {
    const example = typeof value === 'string' && !isJson(name) ? value : JSON.stringify(value);
    report.info(
      'W_IMPORT_DEFAULT',
      at('input', 'default', name),
      `The default ${quote(example)} of ${quote(name)} became its example`,
    );
    inputs.set(inputName(name), { ...inputs.get(inputName(name)), example });
  }
  return inputs;
}
