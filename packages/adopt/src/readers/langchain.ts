import { posix } from 'node:path';
import { InputBook, inputsFor, Messages } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftSheet, DraftTool, ImportDraft } from '../draft.js';
import { sheetName } from '../names.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { itemsOf, type JsonDocument, member, type PlacedJson, plainValue, stringOf } from '../text/json.js';
import type { LineColumn } from '../text/mapped.js';
import { isWorthKeeping, nothingRead, readJsonSource, sayUnfit } from './json-source.js';
import { readTemplate } from './langchain-messages.js';
import { classOf, kwargsOf, sayLost } from './langchain-objects.js';
import { sayTool } from './openai-config.js';

/** Manifests of LangChain, and answers of the LangSmith hub around them. They are read as data: nothing is built from them. */
export const langchainReader: FormatReader = {
  id: 'langchain',
  title: 'LangChain and LangSmith: a manifest of a prompt',
  detect: (path, head) => path.endsWith('.json') && /"lc"\s*:\s*1/.test(head) && /"langchain/.test(head),
  read: (file, how) => readJsonSource(file, (json, report) => readManifest(file, json, how, report)),
};

function readManifest(file: ForeignFile, json: JsonDocument, how: ReadHow, report: Reporter): ImportDraft {
  const manifest = member(json.root, 'manifest');
  const root = manifest ?? json.root;
  if (manifest !== undefined) {
    sayUnfit(json.root, { commit_hash: 'a text' }, json, report);
    sayLost(json.root, ['manifest', 'commit_hash'], json, report);
  }
  const tools: DraftTool[] = [];
  const prompt = findPrompt(root, json, report, tools);
  if (prompt === undefined) {
    report.error('E_IMPORT_SYNTAX', json.at(root.start), 'The manifest holds no prompt template');
    return nothingRead(report);
  }
  const printedByFString = new Map<string, LineColumn>();
  const reading = {
    ...{ json, report, printedByFString },
    book: new InputBook(report),
    messages: new Messages(report),
  };
  readTemplate(prompt, reading);
  const { messages, book } = reading;
  if (messages.isWhole && messages.blocks.length === 0)
    report.warning('W_IMPORT_EMPTY', json.at(prompt.start), 'The prompt has no text; it was not imported');
  if (!messages.isWhole || messages.blocks.length === 0) return nothingRead(report);
  const inputs = inputsFor(messages.blocks, book);
  const mixed = [...printedByFString].filter(([name]) => inputs.get(name)?.type === 'json');
  for (const [name, at] of mixed)
    report.warning(
      'W_IMPORT_SECTION',
      at,
      `An f-string prints ${quote(name)} as JSON, and a condition or loop of another message looks into it; the prompt was not imported`,
    );
  if (mixed.length > 0) return nothingRead(report);
  const schema = member(kwargsOf(prompt), 'schema_') ?? member(kwargsOf(prompt), 'schema');
  if (schema !== undefined && schema.kind !== 'object' && isWorthKeeping(schema))
    report.warning(
      'W_IMPORT_KEY',
      json.at(schema.start),
      'The schema of the answer is not a map; it was not kept',
    );
  const commit = stringOf(member(json.root, 'commit_hash'));
  const sheet: DraftSheet = {
    name: sheetName(how.name ?? posix.basename(file.path).replace(/\.json$/, '')),
    meta: { source: provenance(file, 'langchain', commit) },
    params: {},
    tools,
    capabilities: [],
    ...(schema?.kind === 'object'
      ? { answer: { schema: plainValue(schema) as Record<string, unknown> } }
      : {}),
    inputs,
    blocks: messages.blocks,
  };
  return { ...nothingRead(report), sheets: [sheet] };
}

/** The prompt inside of what may stand around it: a sequence with a model, a binding with tools. */
function findPrompt(
  node: PlacedJson,
  json: JsonDocument,
  report: Reporter,
  tools: DraftTool[],
): PlacedJson | undefined {
  const name = classOf(node);
  const kwargs = kwargsOf(node);
  if (name.endsWith('PromptTemplate') || name === 'StructuredPrompt') return node;
  if (name === 'RunnableSequence') {
    const steps = [
      member(kwargs, 'first'),
      ...itemsOf(member(kwargs, 'middle')),
      member(kwargs, 'last'),
      ...itemsOf(member(kwargs, 'steps')),
    ];
    const [first, ...more] = steps.flatMap((step) =>
      step === undefined ? [] : (findPrompt(step, json, report, tools) ?? []),
    );
    for (const other of more)
      report.warning(
        'W_IMPORT_SECTION',
        json.at(other.start),
        'The sequence has another prompt before this one; only the first was imported',
      );
    return first;
  }
  if (name === 'RunnableBinding') {
    const given = member(kwargs, 'kwargs');
    sayLost(kwargs, ['bound', 'kwargs'], json, report);
    sayLost(given, ['tools'], json, report);
    for (const tool of itemsOf(member(given, 'tools'))) readTool(tool, json, report, tools);
    const bound = member(kwargs, 'bound');
    return bound === undefined ? undefined : findPrompt(bound, json, report, tools);
  }
  report.info(
    'W_IMPORT_KEY',
    json.at(node.start),
    `${quote(name)} is a part of the program around the prompt; it was not imported`,
  );
  return undefined;
}

/** A tool in the form of OpenAI or of Anthropic. */
function readTool(tool: PlacedJson, json: JsonDocument, report: Reporter, tools: DraftTool[]): void {
  const body = member(tool, 'function') ?? tool;
  const name = stringOf(member(body, 'name'));
  const parameters = member(body, 'parameters') ?? member(body, 'input_schema');
  const description = stringOf(member(body, 'description'));
  if (name === undefined || name === '') {
    report.warning('W_IMPORT_TOOL', json.at(tool.start), 'The tool has no name; it was not kept');
    return;
  }
  sayTool(tool, body, json, report);
  tools.push({
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters?.kind === 'object'
      ? { parameters: plainValue(parameters) as Record<string, unknown> }
      : {}),
  });
}
