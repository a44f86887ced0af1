import { InputBook } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { ImportDraft } from '../draft.js';
import { FreeNames } from '../free-name.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { readPlain } from '../template/plain.js';
import { itemsOf, type JsonDocument, member, type PlacedJson, stringOf } from '../text/json.js';
import { nothingRead, readJsonSource, sayLostKeys, sayUnfit } from './json-source.js';
import { modelConfig } from './openai-config.js';
import { type OpenaiReading, sheetFrom, writtenVersion } from './openai-messages.js';
import { readResponse } from './openai-response.js';
import { chooseVersions, type Versioned } from './versions.js';

/** Prompts that OpenAI kept (`pmpt_…`): the exchange file with versions, or a saved response whose variables hold markers. */
export const openaiReader: FormatReader = {
  id: 'openai',
  title: 'OpenAI: a file of reusable prompts, or a saved response with ⟦markers⟧',
  detect: (path, head) =>
    path.endsWith('.json') &&
    (/"openai_prompt_id"\s*:/.test(head) ||
      (/"pmpt_/.test(head) && /"(?:instructions|versions)"\s*:/.test(head))),
  read: (file, how) =>
    readJsonSource(file, (json, report) =>
      member(json.root, 'instructions') === undefined
        ? readFile(file, json, how, report)
        : readResponse(file, json, how, report),
    ),
};

interface StoredVersion extends Versioned {
  readonly node: PlacedJson;
  readonly id: string | undefined;
  readonly written: string;
}

function readFile(file: ForeignFile, json: JsonDocument, how: ReadHow, report: Reporter): ImportDraft {
  const roots = json.root.kind === 'array' ? json.root.items : [json.root];
  if (roots.length === 0)
    report.error('E_IMPORT_SYNTAX', json.at(json.root.start), 'The file holds no prompts');
  const names = new FreeNames();
  const versions = roots.flatMap((root) => versionsOf(root, names, { json, report }));
  const book = new InputBook(report);
  const sheets = chooseVersions(versions, how, report, ({ node }) => json.at(node.start)).flatMap(
    ({ prompt, name }) => {
      const messages = itemsOf(member(prompt.node, 'messages'));
      const config = member(prompt.node, 'config');
      return sheetFrom({ json, report, book }, messages, readPlain, prompt.node.start, (rest) => {
        const read = modelConfig(config, json, report);
        const meta = {
          source: provenance(file, 'openai', prompt.written),
          ...(prompt.id === undefined ? {} : { promptId: prompt.id }),
          ...(prompt.labels.length > 0 ? { labels: prompt.labels } : {}),
        };
        return { ...rest, ...read, name, title: prompt.name, meta: { ...meta, ...read.meta } };
      });
    },
  );
  return { ...nothingRead(report), sheets };
}

function versionsOf(
  root: PlacedJson,
  free: FreeNames,
  { json, report }: Pick<OpenaiReading, 'json' | 'report'>,
): readonly StoredVersion[] {
  const id = stringOf(member(root, 'openai_prompt_id')) ?? stringOf(member(root, 'id'));
  const list = itemsOf(member(root, 'versions'));
  if (list.length === 0) {
    report.error(
      'E_IMPORT_SYNTAX',
      json.at(root.start),
      'A file of prompts has versions, each with messages; a request that only names a prompt by its id does not hold its text',
    );
    return [];
  }
  const kinds = {
    openai_prompt_id: 'a text',
    name: 'a text',
    production_version: 'a text or number',
  } as const;
  sayUnfit(root, kinds, json, report);
  sayLostKeys(root, ['openai_prompt_id', 'id', 'name', 'production_version', 'versions'], json, report);
  const own = stringOf(member(root, 'name')) ?? id ?? 'prompt';
  const name = free.give(own);
  if (name !== own)
    report.info(
      'W_IMPORT_NAME',
      json.at(root.start),
      `There is another prompt ${quote(own)}; this one became ${quote(name)}`,
    );
  const seen = new Set<string>();
  const production = writtenVersion(member(root, 'production_version'));
  const written = list.map((node, index) => writtenVersion(member(node, 'version')) ?? String(index + 1));
  if (production !== undefined && !written.includes(production))
    report.warning(
      'W_IMPORT_LABEL',
      json.at(root.start),
      `${quote(own)} has no version ${quote(production)}, which it names as that of production`,
    );
  return list.map((node, index) => {
    const version = written[index] ?? '';
    const number = Number(version);
    if (seen.has(version))
      report.warning(
        'W_IMPORT_LABEL',
        json.at(node.start),
        `${quote(own)} has the version ${quote(version)} twice; the first one counts`,
      );
    seen.add(version);
    sayUnfit(node, { version: 'a text or number' }, json, report);
    sayLostKeys(node, ['version', 'messages', 'config'], json, report);
    const labels = version === production ? ['production'] : [];
    return {
      node,
      id,
      name,
      labels,
      written: version,
      version: Number.isFinite(number) ? number : index + 1,
    };
  });
}
