import { InputBook, templateParts } from '../build.js';
import { type Reporter, reporter } from '../diagnostic.js';
import type { DraftPart, ImportDraft } from '../draft.js';
import type { ForeignFile } from '../reader.js';
import { regionsOf, withoutMarks } from '../region.js';
import type { TemplateReader } from '../template/tokens.js';
import { sayInvisible } from '../text/characters.js';
import { decodePrompt } from '../text/decode.js';
import { lastAtMost, type MappedText } from '../text/mapped.js';
import { type FieldedText, type FieldForm, splitFrontmatter } from './frontmatter.js';
import { nothingRead } from './json-source.js';

/** Reads a Markdown file, and hands on its text. Lines by which export marks its regions are left out. */
export function readMarkdown(
  file: ForeignFile,
  read: (text: MappedText, report: Reporter) => ImportDraft,
): ImportDraft {
  const report = reporter(file.path);
  const text = decodePrompt(file.bytes, report);
  if (text === undefined) return nothingRead(report);
  sayInvisible(text, report);
  const [region] = regionsOf(text.text);
  if (region === undefined) return read(text, report);
  report.info(
    'W_IMPORT_KEY',
    text.at(region.start),
    `This part was exported from ${region.target}; the lines that mark it were left out`,
  );
  return read(unmarked(text), report);
}

/** A text without the lines that mark regions; what is left knows where it stands in the file. */
function unmarked(whole: MappedText): MappedText {
  const kept = withoutMarks(whole.text);
  const starts: number[] = [];
  let text = '';
  for (const piece of kept) {
    starts.push(text.length);
    text += piece.text;
  }
  return {
    text,
    at: (offset) => {
      const index = lastAtMost(starts, offset);
      return whole.at((kept[index]?.start ?? 0) + offset - (starts[index] ?? 0));
    },
  };
}

/** The same for a file with fields before its text. */
export function readFields(
  file: ForeignFile,
  read: (matter: FieldedText, report: Reporter) => ImportDraft,
  form: FieldForm = 'yaml',
): ImportDraft {
  return readMarkdown(file, (text, report) => {
    const matter = splitFrontmatter(text, report, form);
    return matter === undefined ? nothingRead(report) : read(matter, report);
  });
}

/** A body as parts, and the inputs it names; undefined when it cannot be kept. */
export function bodyParts(
  body: MappedText,
  read: TemplateReader,
  report: Reporter,
  required: boolean | ((name: string) => boolean) = false,
): { readonly parts: readonly DraftPart[]; readonly book: InputBook } | undefined {
  const book = new InputBook(report);
  const parts = templateParts(body, { read, book, report, required });
  return parts === undefined ? undefined : { parts, book };
}
