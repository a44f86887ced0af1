import { InputBook, inputsFor, Messages, templateParts } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftBlock, DraftPart, DraftSheet, DraftText, ImportDraft } from '../draft.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { readSettings } from '../settings.js';
import { readMustache } from '../template/mustache/read.js';
import { itemsOf, type JsonDocument, member, type PlacedJson, plainValue, stringOf } from '../text/json.js';
import { keptUnderMeta, readJsonSource, sayLostKeys, sayUnfit } from './json-source.js';
import { type LangfusePrompt, type LangfuseReading, promptIndex } from './langfuse-prompt.js';
import { resolveReferences } from './langfuse-references.js';
import { chooseVersions } from './versions.js';

/** Prompts of Langfuse: the export file of its web application, or one answer of its API. */
export const langfuseReader: FormatReader = {
  id: 'langfuse',
  title: 'Langfuse: the export file, or an answer of its API',
  detect: (path, head) =>
    path.endsWith('.json') &&
    (/"type"\s*:\s*"(?:text|chat)"/.test(head) || /langfuse/i.test(path)) &&
    /"prompt"\s*:\s*["[]/.test(head) &&
    !/"lc"\s*:/.test(head),
  read: (file, how) => readJsonSource(file, (json, report) => readPrompts(file, json, how, report)),
};

function readPrompts(file: ForeignFile, json: JsonDocument, how: ReadHow, report: Reporter): ImportDraft {
  const prompts = listOf(json.root).flatMap((node) => readPrompt(node, json, report) ?? []);
  sayTwice(prompts, json, report);
  const chosen = chooseVersions(prompts, how, report, ({ node }) => json.at(node.start));
  const book = new InputBook(report);
  const texts = new Map<string, DraftText>();
  const reading = {
    ...{ json, how, report, book, texts, prompts: promptIndex(prompts) },
    ...{ expanded: new Map(), parts: new Map() },
  };
  const sheets = chosen.flatMap(({ prompt, name }): DraftSheet[] => {
    const read = readBlocks(prompt, reading);
    if (read === undefined) return [];
    const config = member(prompt.node, 'config');
    const { params, others, names } = readSettings(
      config?.kind === 'object' ? (plainValue(config) as Record<string, unknown>) : {},
      report,
      (key) => json.at((member(config, key) ?? prompt.node).start),
      { kept: 'meta.config', isFree: true },
    );
    const inputs = inputsFor(read.blocks, book, texts);
    const meta = {
      ...metaOf(prompt, provenance(file, 'langfuse', prompt.version), json, report),
      ...(Object.keys(names).length === 0 ? {} : { settingNames: names }),
      ...(Object.keys(others).length === 0 ? {} : { config: others }),
    };
    return [
      { name, title: prompt.name, meta, params, tools: [], capabilities: [], inputs, blocks: read.blocks },
    ];
  });
  return { sheets, texts: [...texts.values()], cases: [], diagnostics: report.found };
}

/** The prompts of a document: a list, one object, or a page of the API. */
function listOf(root: PlacedJson): readonly PlacedJson[] {
  if (root.kind === 'array') return root.items;
  const data = member(root, 'data');
  return data?.kind === 'array' ? data.items : [root];
}

function readPrompt(node: PlacedJson, json: JsonDocument, report: Reporter): LangfusePrompt | undefined {
  const at = json.at(node.start);
  const name = stringOf(member(node, 'name'));
  const prompt = member(node, 'prompt');
  if (name === undefined || (prompt?.kind !== 'string' && prompt?.kind !== 'array')) {
    const why =
      member(node, 'versions') === undefined ? '' : ': a list of names holds no prompts, export them instead';
    report.error('E_IMPORT_SYNTAX', at, `A prompt of Langfuse has a name and a prompt${why}`);
    return undefined;
  }
  sayUnfit(node, { type: 'a text', labels: 'a list', tags: 'a list', commitMessage: 'a text' }, json, report);
  const labels = itemsOf(member(node, 'labels'));
  const type = prompt.kind === 'string' ? 'text' : 'chat';
  const said = stringOf(member(node, 'type'));
  if (said !== undefined && said !== type)
    report.info(
      'W_IMPORT_DIALECT',
      at,
      `The type is ${quote(said)}, and the prompt is ${type === 'text' ? 'a text' : 'a list'}: it was read as what it is`,
    );
  const strange = labels.find((label) => label.kind !== 'string');
  if (strange !== undefined)
    report.warning('W_IMPORT_LABEL', json.at(strange.start), 'A label that is not a text was not kept');
  return {
    node,
    name,
    version: versionOf(member(node, 'version'), json, report),
    labels: labels.flatMap((label) => stringOf(label) ?? []),
    type,
    prompt,
  };
}

function versionOf(node: PlacedJson | undefined, json: JsonDocument, report: Reporter): number {
  if (node === undefined) return 1;
  if (node.kind === 'scalar' && typeof node.value === 'number' && Number.isSafeInteger(node.value))
    return node.value;
  report.warning('W_IMPORT_LABEL', json.at(node.start), 'The version is not a whole number: it counts as 1');
  return 1;
}

/** A version of a prompt stands once in a file; what one of two of them says is lost, and `--all` keeps both. */
function sayTwice(prompts: readonly LangfusePrompt[], json: JsonDocument, report: Reporter): void {
  const seen = new Set<string>();
  for (const { node, name, version } of prompts) {
    const key = `${version} ${name}`;
    if (seen.has(key))
      report.warning(
        'W_IMPORT_LABEL',
        json.at(node.start),
        `Version ${version} of ${quote(name)} stands in the file twice: only the first one counts, but with --all`,
      );
    seen.add(key);
  }
}

function readBlocks(
  prompt: LangfusePrompt,
  reading: LangfuseReading,
): { readonly blocks: readonly DraftBlock[] } | undefined {
  const { json, report, book } = reading;
  const messages = new Messages(report);
  if (prompt.prompt.kind === 'string') {
    messages.add('user', contentParts(prompt.prompt, reading), json.at(prompt.prompt.start));
  }
  for (const entry of itemsOf(prompt.prompt)) {
    const at = json.at(entry.start);
    const given = member(entry, 'type');
    const type = given === undefined ? 'chatmessage' : (stringOf(given) ?? JSON.stringify(plainValue(given)));
    if (type === 'placeholder') {
      sayLostKeys(entry, ['type', 'name'], json, report);
      const name = stringOf(member(entry, 'name')) ?? '';
      if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) {
        report.warning(
          'W_IMPORT_PLACEHOLDER',
          at,
          `The placeholder ${quote(name)} has no valid name; the prompt was not imported`,
        );
        messages.giveUp();
        continue;
      }
      report.info(
        'W_IMPORT_PLACEHOLDER',
        at,
        `The placeholder ${quote(name)} became a history: variables inside of its messages are not filled in, and without messages it prints nothing`,
      );
      messages.history(
        book.use(name, false, () => at),
        at,
      );
      continue;
    }
    const role = stringOf(member(entry, 'role'));
    const content = member(entry, 'content');
    if (type !== 'chatmessage' || role === undefined || content === undefined) {
      report.info(
        'W_IMPORT_KEY',
        at,
        `An entry of type ${quote(type)} was left out: the library does not send it either`,
      );
      continue;
    }
    const extra = [...(entry.kind === 'object' ? entry.entries.keys() : [])].filter(
      (key) => !['role', 'content', 'type'].includes(key),
    );
    if (extra.length > 0)
      report.info(
        'W_IMPORT_KEY',
        at,
        `The keys ${extra.map((key) => quote(key)).join(', ')} of a message were left out: the library does not send them either`,
      );
    if (content.kind !== 'string') {
      report.warning(
        'W_IMPORT_MEDIA',
        json.at(content.start),
        'The content of this message is not text; the prompt was not imported',
      );
      messages.giveUp();
      continue;
    }
    messages.add(role, contentParts(content, reading), at);
  }
  if (messages.isWhole && messages.blocks.length === 0) {
    report.warning(
      'W_IMPORT_EMPTY',
      json.at(prompt.node.start),
      `The prompt ${quote(prompt.name)} has no text; it was not imported`,
    );
    return undefined;
  }
  return messages.isWhole ? { blocks: messages.blocks } : undefined;
}

function contentParts(
  content: PlacedJson & { readonly kind: 'string' },
  reading: LangfuseReading,
): readonly DraftPart[] | undefined {
  const { json, report, book } = reading;
  const source = json.mapped(content);
  if (source.text.includes('@@@langfusePrompt:')) return resolveReferences(source, reading);
  return templateParts(source, { read: readMustache, book, report, required: false });
}

const OWN_KEYS = ['name', 'version', 'type', 'prompt', 'config', 'labels', 'tags', 'commitMessage'];

function metaOf(
  prompt: LangfusePrompt,
  source: object,
  json: JsonDocument,
  report: Reporter,
): Readonly<Record<string, unknown>> {
  const { node } = prompt;
  const config = member(node, 'config');
  const tags = itemsOf(member(node, 'tags')).map(plainValue);
  const commitMessage = stringOf(member(node, 'commitMessage'));
  const others = [...(node.kind === 'object' ? node.entries : [])].filter(
    ([key, value]) => !OWN_KEYS.includes(key) && !(value.kind === 'scalar' && value.value === null),
  );
  if (others.length > 0)
    report.info('W_IMPORT_KEY', json.at(node.start), keptUnderMeta(others.map(([key]) => key)));
  const hasConfig = config !== undefined && config.kind !== 'object' && plainValue(config) !== null;
  if (hasConfig)
    report.info(
      'W_IMPORT_KEY',
      json.at(config.start),
      'A config that is not an object is kept under meta and never sent',
    );
  return {
    source,
    ...(prompt.labels.length > 0 ? { labels: prompt.labels } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(commitMessage === undefined ? {} : { commitMessage }),
    ...(hasConfig ? { config: plainValue(config) } : {}),
    ...(others.length > 0
      ? { langfuse: Object.fromEntries(others.map(([key, value]) => [key, plainValue(value)])) }
      : {}),
  };
}
