import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AdoptDiagnostic, type ImportDraft, labelInputs, printFiles } from '@cuebook/adopt';
import { memorySource } from '@cuebook/files';
import { composeTarget } from '@cuebook/profile';
import { createRedactor } from '@cuebook/prompt';
import { sheetProfile } from '@cuebook/sheet';
import { Failure } from '../failure.js';
import { sha256 } from '../project/hash.js';
import type { NamedSource } from './read.js';

interface Message {
  readonly role: string;
  readonly content: string;
}

type Values = Readonly<Record<string, string>>;
/** The values of a library: any JSON. */
type SourceValues = Readonly<Record<string, unknown>>;
type Sheet = ImportDraft['sheets'][number];

/** How the official library of a format renders a source. */
interface Oracle {
  readonly library: string;
  /** Undefined: the library alone cannot render this one. */
  readonly render: (
    library: never,
    text: string,
    sheet: Sheet,
    values: SourceValues,
  ) => Promise<readonly Message[] | undefined>;
}

/**
 * Renders every imported sheet and its source by the official library of the project, with the same values, and tells where
 * the messages differ. Every input counts as trusted, as the library has it.
 */
export async function verifySources(
  sources: readonly NamedSource[],
  adopted: ImportDraft,
  set: Values,
  folder: string,
): Promise<readonly AdoptDiagnostic[]> {
  const found: AdoptDiagnostic[] = [];
  for (const { reader, file } of sources) {
    const oracle = Object.hasOwn(ORACLES, reader.id) ? ORACLES[reader.id] : undefined;
    const sheets = adopted.sheets.filter(
      ({ meta }) => (meta.source as { readonly file?: string }).file === file.path,
    );
    if (oracle === undefined || sheets.length === 0) {
      if (sheets.length > 0)
        found.push(
          told(
            file.path,
            'info',
            `No library renders files of the format ${reader.id}, so nothing was compared`,
          ),
        );
      continue;
    }
    const library = await loadLibrary(oracle.library, folder);
    for (const sheet of sheets) {
      const values = Object.fromEntries(
        [...sheet.inputs].map(([name, { type }]) => [name, set[name] ?? standIn(name, type)]),
      );
      const theirs = await oracle.render(
        library as never,
        Buffer.from(file.bytes).toString(),
        sheet,
        sourceValues(sheet, values),
      );
      if (theirs === undefined) {
        found.push(
          told(file.path, 'info', `sheet:${sheet.name} was not compared: the library alone cannot render it`),
        );
        continue;
      }
      const ours = await renderSheet(adopted, sheet, values);
      const kept = theirs.filter(({ content }) => content !== '');
      if (JSON.stringify(ours) === JSON.stringify(kept))
        found.push(told(file.path, 'info', `sheet:${sheet.name} gives the bytes of ${oracle.library}`));
      else
        found.push(
          told(
            file.path,
            'error',
            `sheet:${sheet.name} gives ${JSON.stringify(ours)}, and ${oracle.library} gives ${JSON.stringify(kept)}`,
          ),
        );
    }
  }
  return found;
}

const told = (file: string, severity: AdoptDiagnostic['severity'], message: string): AdoptDiagnostic => ({
  code: 'E_IMPORT_VERIFY',
  severity,
  file,
  message,
});

/** A value for an input that the call names none for. */
const standIn = (name: string, type: 'json' | undefined): string =>
  type === 'json' ? JSON.stringify(`⟦${name}⟧`) : `⟦${name}⟧`;

/** The values under the names that the source has for them; what a sheet takes as JSON is a value to a library. */
const sourceValues = ({ inputs }: Sheet, values: Values): SourceValues =>
  Object.fromEntries(
    [...inputs].map(([name, { sourceName = name, type }]) => [
      sourceName,
      type === 'json' ? jsonOf(values[name] ?? '') : (values[name] ?? ''),
    ]),
  );

/** What is no JSON stays a text: the sheet refuses it with its own words. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function loadLibrary(name: string, folder: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href);
  } catch {
    const [scope = '', own = ''] = name.split('/');
    throw new Failure(
      'E_IMPORT_VERIFY',
      `--verify needs the library of the format: npm install --save-dev ${scope.startsWith('@') ? `${scope}/${own}` : scope}`,
      { exit: 3 },
    );
  }
}

async function renderSheet(adopted: ImportDraft, { name }: Sheet, set: Values): Promise<readonly Message[]> {
  const trusted = labelInputs(adopted, { all: 'operator', byName: new Map(), systemToUser: false });
  const project = memorySource(Object.fromEntries(printFiles(trusted).map(({ path, text }) => [path, text])));
  if (!project.ok)
    throw new Failure('E_IMPORT_VERIFY', 'The imported files cannot be held in memory', { exit: 1 });
  const redactor = createRedactor({ roots: [], private: [], names: [] });
  const result = await composeTarget(
    { profiles: [sheetProfile], project: project.value, hash: sha256, redactor },
    `sheet:${name}`,
    { set },
  );
  if (!result.ok)
    throw new Failure('E_IMPORT_VERIFY', result.diagnostics.map(({ message }) => message).join('; '), {
      exit: 1,
      diagnostics: result.diagnostics,
    });
  return result.value.prompt.blocks
    .map(({ role, text }) => ({ role, content: text }))
    .filter(({ content }) => content !== '');
}

const hasHistory = ({ blocks }: Sheet): boolean => blocks.some((block) => 'history' in block);

interface LangfusePrompt {
  readonly name: string;
  readonly version?: number;
  readonly prompt: string | readonly Message[];
}

const ORACLES: Readonly<Record<string, Oracle>> = {
  langfuse: {
    library: '@langfuse/client',
    render: async (
      library: {
        readonly ChatPromptClient: new (
          prompt: object,
        ) => { compile: (values: SourceValues) => readonly Message[] };
      },
      text,
      sheet,
      values,
    ) => {
      const root: unknown = JSON.parse(text);
      const list = (
        Array.isArray(root) ? root : ((root as { data?: unknown }).data ?? [root])
      ) as readonly LangfusePrompt[];
      const { version } = sheet.meta.source as { readonly version: number };
      const prompt = list.find((each) => each.name === sheet.title && (each.version ?? 1) === version);
      // References are resolved by the server, and a placeholder needs messages.
      if (
        prompt === undefined ||
        hasHistory(sheet) ||
        JSON.stringify(prompt.prompt).includes('@@@langfusePrompt:')
      )
        return undefined;
      const messages =
        typeof prompt.prompt === 'string' ? [{ role: 'user', content: prompt.prompt }] : prompt.prompt;
      const client = new library.ChatPromptClient({
        config: {},
        labels: [],
        tags: [],
        ...prompt,
        type: 'chat',
        prompt: messages,
      });
      return client
        .compile(values)
        .map(({ role, content }) => ({ role: role === 'developer' ? 'system' : role, content }));
    },
  },
  dotprompt: {
    library: 'dotprompt',
    render: async (
      library: {
        readonly Dotprompt: new () => {
          render: (
            text: string,
            data: object,
          ) => Promise<{
            readonly messages: readonly {
              readonly role: string;
              readonly content: readonly { readonly text?: string }[];
            }[];
          }>;
        };
      },
      text,
      sheet,
      input,
    ) => {
      if (hasHistory(sheet)) return undefined;
      const { messages } = await new library.Dotprompt().render(text, { input });
      return messages.map(({ role, content }) => ({
        role: role === 'model' ? 'assistant' : role,
        content: content.map((part) => part.text ?? '').join(''),
      }));
    },
  },
  langchain: {
    library: '@langchain/core/load',
    render: async (
      library: {
        readonly load: (text: string) => Promise<{
          formatMessages?: (
            values: SourceValues,
          ) => Promise<readonly { readonly content: unknown; getType(): string }[]>;
        }>;
      },
      text,
      sheet,
      values,
    ) => {
      const root = JSON.parse(text) as { readonly manifest?: unknown };
      // Only a prompt is built: a manifest may configure a model with a server of its own.
      const manifest = (root.manifest ?? root) as { readonly id?: readonly string[] };
      if (hasHistory(sheet) || manifest.id?.at(-1) !== 'ChatPromptTemplate') return undefined;
      const template = await library.load(JSON.stringify(manifest));
      const messages = await template.formatMessages?.(values);
      const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', system: 'system' };
      return messages?.map((message) => ({
        role: roles[message.getType()] ?? message.getType(),
        content: String(message.content),
      }));
    },
  },
};
