import { quote, type Reporter } from '../diagnostic.js';
import type { DraftSheet, DraftTool } from '../draft.js';
import { readSettings } from '../settings.js';
import { itemsOf, type JsonDocument, member, type PlacedJson, plainValue, stringOf } from '../text/json.js';
import { isWorthKeeping, keptUnderMeta, sayLostKeys, sayUnfit } from './json-source.js';

/** The settings of a model as a sheet has them. */
export type ModelConfig = Pick<DraftSheet, 'params' | 'tools' | 'capabilities' | 'answer'> & {
  readonly meta: Readonly<Record<string, unknown>>;
};

/**
 * Settings in the names of OpenAI's API. Functions become tools of the sheet, a schema for the answer its `answer`; tools
 * that the provider hosts are kept under `meta` and named. `without`: keys that are no settings.
 */
export function modelConfig(
  config: PlacedJson | undefined,
  json: JsonDocument,
  report: Reporter,
  without: readonly string[] = [],
): ModelConfig {
  const tools: DraftTool[] = [];
  const hosted: unknown[] = [];
  const list = member(config, 'tools');
  for (const odd of [
    config?.kind === 'object' ? undefined : config,
    list?.kind === 'array' ? undefined : list,
  ])
    if (odd !== undefined && isWorthKeeping(odd))
      report.warning(
        'W_IMPORT_KEY',
        json.at(odd.start),
        'The settings are not in the form of the API; they were not kept',
      );
  for (const tool of itemsOf(list)) {
    const body = member(tool, 'function') ?? tool;
    const name = stringOf(member(body, 'name'));
    if (stringOf(member(tool, 'type')) === 'function') sayTool(tool, body, json, report);
    if (stringOf(member(tool, 'type')) === 'function' && name !== undefined && name !== '') {
      const parameters = member(body, 'parameters');
      const description = stringOf(member(body, 'description'));
      tools.push({
        name,
        ...(description === undefined ? {} : { description }),
        ...(parameters?.kind === 'object'
          ? { parameters: plainValue(parameters) as Record<string, unknown> }
          : {}),
      });
    } else {
      hosted.push(plainValue(tool));
      const kind = quote(stringOf(member(tool, 'type')) ?? '');
      report.warning(
        'W_IMPORT_TOOL',
        json.at(tool.start),
        `The tool of type ${kind} is run by the provider; it is kept under meta and not offered to the model`,
      );
    }
  }
  const { answer, hasStrict } = answerOf(config);
  const format = member(member(config, 'text'), 'format');
  const called = stringOf(member(format, 'name'));
  if (answer !== undefined && called !== undefined && answer.name === undefined && format !== undefined)
    report.info(
      'W_IMPORT_NAME',
      json.at(format.start),
      `The schema of the answer is called ${quote(called)}, which cannot be a name here; it has none`,
    );
  if (answer !== undefined) sayUnfit(format, { name: 'a text' }, json, report);
  if (hasStrict && config !== undefined)
    report.info(
      'W_IMPORT_KEY',
      json.at(config.start),
      'The schema of the answer became `answer`; its `strict` is decided by the provider',
    );
  if (answer !== undefined) {
    sayLostKeys(member(config, 'text'), ['format'], json, report);
    sayLostKeys(format, ['type', 'name', 'schema', 'strict'], json, report);
  }
  const params = new Map<string, unknown>();
  for (const [key, value] of config?.kind === 'object' ? config.entries : []) {
    if (without.includes(key) || key === 'tools' || (key === 'text' && answer !== undefined)) continue;
    const plain = plainValue(value);
    if (plain === null || isEmpty(plain)) continue;
    params.set(key, plain);
  }
  const settings = readSettings(
    Object.fromEntries(params),
    report,
    (key) => json.at((member(config, key) ?? json.root).start),
    { kept: 'meta.config' },
  );
  const meta = {
    ...(hosted.length === 0 ? {} : { hostedTools: hosted }),
    ...(Object.keys(settings.others).length === 0 ? {} : { config: settings.others }),
  };
  if (hosted.length > 0 && config !== undefined)
    report.info('W_IMPORT_KEY', json.at(config.start), keptUnderMeta(['hostedTools']));
  return {
    params: settings.params,
    tools,
    capabilities: [],
    meta,
    ...(answer === undefined ? {} : { answer }),
  };
}

/** What a function says beside its name, description and parameters. */
export function sayTool(
  tool: PlacedJson,
  body: PlacedJson,
  json: Pick<JsonDocument, 'at'>,
  report: Reporter,
): void {
  sayUnfit(body, { description: 'a text', parameters: 'a map', input_schema: 'a map' }, json, report);
  const own = ['name', 'description', 'parameters', 'input_schema', 'strict', 'type', 'function'];
  sayLostKeys(body, own, json, report);
  if (body !== tool) sayLostKeys(tool, ['type', 'function'], json, report);
  const strict = member(body, 'strict');
  if (strict !== undefined && isWorthKeeping(strict))
    report.info(
      'W_IMPORT_TOOL',
      json.at(strict.start),
      'The `strict` of a tool is decided by the provider; it was not kept',
    );
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function answerOf(config: PlacedJson | undefined): {
  readonly answer?: DraftSheet['answer'];
  readonly hasStrict: boolean;
} {
  const format = member(member(config, 'text'), 'format');
  const schema = member(format, 'schema');
  if (stringOf(member(format, 'type')) !== 'json_schema' || schema?.kind !== 'object')
    return { hasStrict: false };
  const name = stringOf(member(format, 'name'));
  return {
    answer: {
      schema: plainValue(schema) as Record<string, unknown>,
      ...(name !== undefined && /^[A-Za-z][\w.-]*$/.test(name) ? { name } : {}),
    },
    hasStrict: member(format, 'strict') !== undefined,
  };
}
