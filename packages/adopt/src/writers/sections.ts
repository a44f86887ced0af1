import { quote } from '../diagnostic.js';
import type { DraftPart, ImportDraft } from '../draft.js';
import type { FormatReader } from '../reader.js';
import { type GoNode, mergeNodes, readGo, templateFacts } from '../template/back/tree.js';
import { printGo } from '../template/go.js';
import type { Exported, ExportMessage, ExportPart, ExportPrompt, ExportReport } from '../writer.js';

/** A message with parts. */
export type PartsMessage = Extract<ExportMessage, { readonly role: string }>;

/** Whether a message has a condition or loop. */
export const hasSection = ({ parts }: PartsMessage): boolean => parts.some((part) => 'template' in part);

/**
 * A message with conditions or loops in another template language. Undefined, and refused, where the language has no form
 * for one of them.
 */
export function sectionText(
  { parts }: PartsMessage,
  print: (nodes: readonly GoNode[]) => string | undefined,
  report: ExportReport,
): string | undefined {
  const nodes = nodesOf(parts);
  const text = nodes === undefined ? undefined : print(nodes);
  if (text === undefined) report.refuse('E_EXPORT_FORMAT', noForm(parts));
  return text;
}

/**
 * Holds an exported file to this: reading it again gives the templates that were exported. A file that reads otherwise would
 * render otherwise, so it is refused.
 */
export function verified(prompt: ExportPrompt, exported: Exported, reader: FormatReader): Exported {
  const { file } = exported;
  const sections = prompt.messages.filter((message) => 'parts' in message && hasSection(message));
  const [first] = sections;
  if (file === undefined || first === undefined || !('parts' in first)) return exported;
  const again = reader.read({ path: file.path, bytes: Buffer.from(file.text) }, {});
  if (JSON.stringify(normalBlocks(again)) === JSON.stringify(normalMessages(prompt))) return exported;
  const message = `${prompt.target}: ${noForm(first.parts)}`;
  return { diagnostics: [...exported.diagnostics, { code: 'E_EXPORT_FORMAT', severity: 'error', message }] };
}

function noForm(parts: readonly ExportPart[]): string {
  const templates = parts.flatMap((part) => ('template' in part ? [part.template] : []));
  const words = templates.join('');
  const head = /\{\{(?:if|range|\$items)[^}]*\}\}/.exec(words)?.[0] ?? words.slice(0, 60);
  const names = new Set(templates.flatMap((template) => [...(templateFacts(template)?.inputs ?? ['NAME'])]));
  const way = [...names].map((name) => `--set ${name}=VALUE`).join(' ');
  return `the format has no condition or loop that means the same as ${quote(head)}; give its inputs a value with ${way}`;
}

/** Parts as nodes: what counts is what is printed, not which part says it. */
function nodesOf(parts: readonly ExportPart[]): readonly GoNode[] | undefined {
  const all = parts.map((part): readonly GoNode[] | undefined => {
    if ('text' in part) return [{ kind: 'text', text: part.text }];
    if ('input' in part) return [{ kind: 'print', value: { kind: 'input', name: part.input } }];
    return readGo(part.template);
  });
  return all.every((each) => each !== undefined) ? mergeNodes(all.flat()) : undefined;
}

const normalMessages = ({ messages }: ExportPrompt): unknown =>
  messages.map((message) =>
    'history' in message ? message : { role: message.role, nodes: nodesOf(message.parts) },
  );

const normalBlocks = ({ sheets }: ImportDraft): unknown =>
  sheets[0]?.blocks.map((block) =>
    'history' in block
      ? { history: block.history.name }
      : { role: block.role, nodes: nodesOf(block.parts.flatMap(exportPart)) },
  );

/** A part of a draft as it is exported; templates print every input in the same way. */
const exportPart = (part: DraftPart): readonly ExportPart[] => {
  if ('template' in part) return [{ template: printGo(part.template, () => false) }];
  return 'include' in part ? [] : [part];
};
