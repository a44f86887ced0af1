import { posix } from 'node:path';
import { guard } from '@cuebook/guard';
import { readYaml, type YamlSource } from '@cuebook/yaml';
import { InputBook, inputsFor, Messages, sayRemarks } from '../build.js';
import { quote, type Reporter, reporter } from '../diagnostic.js';
import type { DraftBlock, DraftPart, DraftText, ImportDraft } from '../draft.js';
import { sheetName } from '../names.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { goInputs } from '../template/go.js';
import { readHandlebars } from '../template/handlebars/read.js';
import { decodeFile, hasByteOrderMark } from '../text/decode.js';
import { type LineColumn, type MappedText, mappedSlice } from '../text/mapped.js';
import { sayYamlNumbers } from '../text/numbers.js';
import {
  allTokens,
  expanded,
  isBlankPart,
  isWordy,
  merged,
  type PlacedToken,
  placedPart,
} from './dotprompt-expand.js';
import { dotpromptFields } from './dotprompt-fields.js';
import { DotPartials } from './dotprompt-partials.js';
import { nothingRead } from './json-source.js';

/** Files of dotprompt (Genkit): YAML fields, then Handlebars. */
export const dotpromptReader: FormatReader = {
  id: 'dotprompt',
  title: 'dotprompt and Genkit: *.prompt',
  detect: (path) => path.endsWith('.prompt'),
  read: (file, how) => {
    const report = reporter(file.path);
    if (posix.basename(file.path).startsWith('_')) {
      const message = 'A partial: it is imported with the prompts that put it in';
      report.info('W_IMPORT_REFERENCE', { line: 1, column: 1 }, message);
      return nothingRead(report);
    }
    if (hasByteOrderMark(file.bytes)) {
      const message =
        'The file begins with a byte order mark, which the library takes for text, and the fields with it; save it without';
      report.error('E_IMPORT_SYNTAX', { line: 1, column: 1 }, message);
      return nothingRead(report);
    }
    const text = decodeFile(file.bytes, report);
    if (text === undefined) return nothingRead(report);
    const split = splitDotprompt(text, report);
    return split === undefined ? nothingRead(report) : readPrompt(file, split, how, report);
  },
};

const FIELDS = /^---\s*(?:\r\n|\r|\n)([\s\S]*?)(?:\r\n|\r|\n)---\s*(?:\r\n|\r|\n)([\s\S]*)$/;

interface Split {
  readonly yaml: YamlSource | undefined;
  readonly firstLine: number;
  readonly body: MappedText;
}

/** With fields the body loses the white space around it; a file that only looks as if it had fields is an error. */
function splitDotprompt(source: MappedText, report: Reporter): Split | undefined {
  const found = FIELDS.exec(source.text);
  const match = guard('adopt.dotprompt.empty', found?.[1] === '') ? null : found;
  if (match === null) {
    if (/^(?:\ufeff|\s|#.*\n)*---\s*(?:\r|\n)/.test(source.text)) {
      report.error(
        'E_IMPORT_SYNTAX',
        { line: 1, column: 1 },
        'The fields are empty, not closed, or something stands before them: the library takes them for text of the prompt',
      );
      return undefined;
    }
    return { yaml: undefined, firstLine: 1, body: source };
  }
  const [whole, fields = '', body = ''] = match;
  const fieldsAt = source.text.indexOf(fields, 3);
  const yaml = readYaml(report.file, fields, 'E_IMPORT_SYNTAX');
  const { line: firstLine } = source.at(fieldsAt);
  if (!yaml.ok || (yaml.value.value !== null && typeof yaml.value.value !== 'object')) {
    const problem = yaml.ok ? undefined : yaml.diagnostics[0];
    const at = { line: firstLine + (problem?.line ?? 1) - 1, column: problem?.column ?? 1 };
    report.error(
      'E_IMPORT_SYNTAX',
      at,
      `The fields are not valid YAML: ${problem?.message.split('\n')[0] ?? 'no map'}. The library takes the whole file for text of the prompt`,
    );
    return undefined;
  }
  sayYamlNumbers(yaml.value, report, firstLine);
  const start = whole.length - body.length;
  const lead = body.length - body.trimStart().length;
  const end = start + body.trimEnd().length;
  return {
    yaml: yaml.value,
    firstLine,
    body: mappedSlice(source, Math.min(start + lead, Math.max(end, start)), Math.max(end, start)),
  };
}

function readPrompt(
  file: ForeignFile,
  { yaml, firstLine, body }: Split,
  how: ReadHow,
  report: Reporter,
): ImportDraft {
  const partials = new DotPartials(file.path, body.text, how, report);
  const read = readHandlebars(body.text, partials.about);
  sayRemarks(read.remarks, body, report);
  if (read.tokens === undefined) return nothingRead(report);
  const book = new InputBook(report);
  const texts = new Map<string, DraftText>();
  const tokens = expanded(
    read.tokens,
    { source: body, report, book },
    { partials, inline: how.inline === true },
  );
  if (tokens === undefined) return nothingRead(report);
  const json = new Set(
    allTokens(tokens).flatMap((token) => (token.kind === 'section' ? [...goInputs(token.pieces).json] : [])),
  );
  const fields = dotpromptFields(yaml, firstLine, report, (name) => json.has(name));
  const blocks = blocksOf(tokens, body, { texts, report, required: fields.required });
  if (blocks === undefined) return nothingRead(report);
  if (blocks.length === 0) {
    report.warning('W_IMPORT_EMPTY', { line: 1, column: 1 }, 'The prompt has no text; it was not imported');
    return nothingRead(report);
  }
  const inputs = new Map(
    [...inputsFor(blocks, book, texts)].map(([name, input]) => [
      name,
      { ...input, ...fields.inputs.get(name) },
    ]),
  );
  const stem = file.path.replace(/\.prompt$/, '');
  const name = how.name ?? sheetName(posix.normalize(stem).replace(/^(?:.*\/)?prompts\//, ''));
  const { title, params, tools, meta, answer } = fields;
  const sheet = {
    name,
    ...(title === undefined ? {} : { title }),
    meta: { source: provenance(file, 'dotprompt'), ...meta },
    params,
    tools,
    capabilities: [],
    ...(answer === undefined ? {} : { answer }),
    inputs,
    blocks,
  };
  return { ...nothingRead(report), sheets: [sheet], texts: [...texts.values()] };
}

interface Reading {
  readonly texts: Map<string, DraftText>;
  readonly report: Reporter;
  readonly required: (name: string) => boolean;
}

/** The messages that the tokens make: dotprompt drops a message of white space alone, and a role then changes the next. */
function blocksOf(
  tokens: readonly PlacedToken[],
  body: MappedText,
  { texts, report, required }: Reading,
): readonly DraftBlock[] | undefined {
  const messages = new Messages(report);
  let role = 'user';
  let parts: DraftPart[] = [];
  let start: LineColumn = body.at(0);
  const close = (): void => {
    const isBlank = parts.every((part) => isBlankPart(part, texts));
    const omitsBlank = !parts.some((part) => isWordy(part, texts));
    if (!isBlank) messages.add(role, merged(parts), start, { omitsBlank });
    parts = [];
  };
  for (const placed of tokens) {
    const { token, place } = placed;
    const at = place.source.at(token.start);
    if (parts.length === 0) start = at;
    if (token.kind === 'role') {
      close();
      ({ role } = token);
      if (!/^[a-z]+$/.test(role)) {
        place.report.warning(
          'W_IMPORT_ROLE',
          at,
          `The library makes no message of the role ${quote(role)}; the prompt was not imported`,
        );
        messages.giveUp();
        role = 'user';
      }
    } else if (token.kind === 'history') {
      close();
      place.report.info(
        'W_IMPORT_PLACEHOLDER',
        at,
        'The history stands where {{history}} stood; text behind it is of the assistant until the next role',
      );
      messages.history(
        place.book.use('history', false, () => at),
        at,
      );
      role = 'model';
    } else parts.push(placedPart(placed, required, texts));
  }
  close();
  if (/<<<dotprompt:/.test(fixedWords(tokens))) {
    report.warning(
      'W_IMPORT_HELPER',
      body.at(Math.max(0, body.text.indexOf('<<<dotprompt:'))),
      'The text holds a marker of the library, <<<dotprompt:, which opens messages there; the prompt was not imported',
    );
    return undefined;
  }
  if (allTokens(tokens).some(({ kind }) => kind === 'variable' || kind === 'section'))
    report.info(
      'W_IMPORT_DIALECT',
      body.at(0),
      'A value that holds <<<dotprompt: markers opens messages in dotprompt; in the sheet it is text',
    );
  return messages.isWhole ? messages.blocks : undefined;
}

/** What a prompt prints when its values are empty: the words that its author wrote. */
const fixedWords = (tokens: readonly PlacedToken[]): string =>
  allTokens(tokens)
    .flatMap((token) => {
      if (token.kind === 'text') return [token.text];
      return token.kind === 'section' ? token.pieces.filter((piece) => typeof piece === 'string') : [];
    })
    .join('');
