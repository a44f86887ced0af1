import {
  type ExportMessage,
  type ExportPart,
  type ExportPrompt,
  type FormatWriter,
  templateFacts,
} from '@cuebook/adopt';
import { composeTarget, parseTarget, type Workbench } from '@cuebook/profile';
import { type Block, type Diagnostic, TRUSTS } from '@cuebook/prompt';
import { readYaml } from '@cuebook/yaml';
import { openSections } from './sections.js';

/** A target as a writer takes it, or why it cannot be exported. */
export type ExportTarget =
  | { readonly ok: true; readonly value: ExportPrompt }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Composes a target for a writer: with its conditions and loops as they are, where the format has them. */
export async function exportTarget(
  bench: Workbench,
  target: string,
  set: Readonly<Record<string, string>>,
  format: Pick<FormatWriter, 'hasVariables' | 'hasSections'>,
): Promise<ExportTarget> {
  const open = format.hasSections === true ? await openSections(bench, target, set) : undefined;
  if (open === undefined) return composeOpen(bench, target, set, format);
  const composed = await composeOpen(open.bench, target, set, format);
  if (!composed.ok) return composed;
  const messages = composed.value.messages.map((message) =>
    'history' in message
      ? message
      : { ...message, parts: message.parts.map((part) => withTemplate(part, open.templates)) },
  );
  return { ok: true, value: { ...composed.value, messages } };
}

function withTemplate(part: ExportPart, templates: ReadonlyMap<string, string>): ExportPart {
  const template = 'input' in part ? templates.get(part.input) : undefined;
  return template === undefined ? part : { template };
}

/**
 * Composes a target for export. Inputs of a sheet that `set` does not name are composed with a stand-in, and the spans tell
 * where it stands: there the writer puts a variable.
 */
async function composeOpen(
  bench: Workbench,
  target: string,
  set: Readonly<Record<string, string>>,
  { hasVariables, hasSections = false }: Pick<FormatWriter, 'hasVariables' | 'hasSections'>,
): Promise<ExportTarget> {
  const declared = await declaredBy(bench, target);
  const isOpen = (name: string): boolean =>
    !Object.hasOwn(set, name) && (hasVariables || !declared.optional.has(name));
  const open = [...declared.inputs.keys()].filter(isOpen);
  const standIns: Readonly<Record<string, string>> = Object.fromEntries(
    open.map((name) => [name, declared.inputs.get(name) ?? `⟦${name}⟧`]),
  );
  const earlier = Object.fromEntries(declared.histories.filter(isOpen).map((name) => [name, HISTORY]));
  const decided = open.find((name) => declared.decides.has(name));
  if (decided !== undefined) {
    const way = `give it a value with --set ${decided}=VALUE`;
    const why =
      hasSections && declared.fenced.has(decided)
        ? `a condition or loop looks at the input ${JSON.stringify(decided)} or prints it in a fence, which other formats do not have there; ${way}, or let only operators write it (trust: operator)`
        : `a template may decide by the input ${JSON.stringify(decided)}, so its text is not fixed; ${way}`;
    return refused('E_EXPORT_FORMAT', `${target}: ${why}`);
  }
  const isSheet = declared.inputs.size > 0 || declared.histories.length > 0;
  const composed = await composeTarget(
    bench,
    target,
    isSheet ? { set: { ...set, ...standIns, ...earlier } } : undefined,
  );
  if (!composed.ok) return composed;
  const { prompt, tools, params, capabilities, meta = {} } = composed.value;
  const hidden = prompt.blocks.find(({ spans }) => spans.some(({ secrecy }) => secrecy !== 'public'));
  if (hidden !== undefined)
    return refused(
      'E_EXPORT_FORMAT',
      `${target}: the block ${JSON.stringify(hidden.name)} holds confidential text, which is not written to a file`,
    );
  const messages = prompt.blocks
    .filter(({ text }) => text !== '')
    .map((block) => {
      const message = messageOf(block, standIns, declared.histories);
      return 'parts' in message && declared.omitting.has(block.name)
        ? { ...message, omitsBlank: true }
        : message;
    });
  const lost = open.find(
    (name) =>
      !messages.some(
        (each) => 'parts' in each && each.parts.some((part) => 'input' in part && part.input === name),
      ),
  );
  if (lost !== undefined && declared.chosen.has(lost))
    return refused(
      'E_EXPORT_FORMAT',
      `${target}: the input ${JSON.stringify(lost)} is one of a list of texts; give it a value with --set ${lost}=VALUE`,
    );
  return {
    ok: true,
    value: {
      target,
      name: parseTarget(target)?.name ?? target,
      ...(declared.title === undefined ? {} : { title: declared.title }),
      meta,
      params,
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        ...(description === undefined ? {} : { description }),
        ...(parameters === undefined ? {} : { parameters: parameters as Readonly<Record<string, unknown>> }),
      })),
      capabilities,
      messages,
      inputs: new Map(
        [...declared.about].map(([name, about]) => [
          name,
          { ...about, isRequired: !declared.optional.has(name) },
        ]),
      ),
      fenced: open.filter((name) => declared.fenced.has(name)),
      absent: hasVariables
        ? []
        : [...declared.inputs.keys()].filter(
            (name) => declared.optional.has(name) && !Object.hasOwn(set, name),
          ),
    },
  };
}

/** The examples that the author of a sheet gives for its inputs. */
export const examplesOf = async (bench: Workbench, target: string): Promise<ReadonlyMap<string, string>> =>
  (await declaredBy(bench, target)).examples;

/** Of values for several targets those that one of them takes. */
export async function settingsFor(
  bench: Workbench,
  target: string,
  set: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const { inputs, histories } = await declaredBy(bench, target);
  return Object.fromEntries(
    Object.entries(set).filter(([name]) => inputs.has(name) || histories.includes(name)),
  );
}

const refused = (code: string, message: string): ExportTarget => ({
  ok: false,
  diagnostics: [{ code, severity: 'error', message }],
});

/** One message that stands for all earlier ones. */
const HISTORY = JSON.stringify([{ role: 'user', content: '⟦history⟧' }]);

function messageOf(
  { role, text, spans }: Block,
  open: Readonly<Record<string, string>>,
  histories: readonly string[],
): ExportMessage {
  const bytes = Buffer.from(text);
  const parts: ExportPart[] = [];
  for (const { origin, start, end } of spans) {
    const ref = origin.kind === 'input' ? (origin.ref ?? '') : undefined;
    const history = ref === undefined ? undefined : histories.find((name) => ref === `${name}[0]`);
    if (history !== undefined) return { history };
    const last = parts.at(-1);
    const words = bytes.subarray(start, end).toString();
    if (ref !== undefined && Object.hasOwn(open, ref)) {
      // One span may hold several uses that touch; a stand-in that was cleaned has several spans.
      const standIn = open[ref] ?? '';
      const uses =
        words === standIn.repeat(words.length / standIn.length) ? words.length / standIn.length : 0;
      for (let use = 0; use < uses; use += 1) parts.push({ input: ref });
      if (uses === 0 && !(last !== undefined && 'input' in last && last.input === ref))
        parts.push({ input: ref });
    } else if (last !== undefined && 'text' in last) parts[parts.length - 1] = { text: last.text + words };
    else parts.push({ text: words });
  }
  return { role, parts };
}

interface Declared {
  readonly title: string | undefined;
  /** The inputs and their examples. */
  readonly inputs: ReadonlyMap<string, string | undefined>;
  readonly examples: ReadonlyMap<string, string>;
  /** What the author says about each input. */
  readonly about: ReadonlyMap<string, { readonly description?: string; readonly example?: string }>;
  /** Inputs whose value is one of a list. */
  readonly chosen: ReadonlySet<string>;
  /** Inputs that are less trusted than the operator, and have no shape. */
  readonly fenced: ReadonlySet<string>;
  readonly histories: readonly string[];
  /** Inputs and histories that may be left out. */
  readonly optional: ReadonlySet<string>;
  /** Blocks that are left out when they are only white space. */
  readonly omitting: ReadonlySet<string>;
  /** Inputs that a template of the sheet or of its texts may look at. */
  readonly decides: ReadonlySet<string>;
}

/** What a sheet declares; other kinds of targets are exported with the examples of their author. */
async function declaredBy({ project }: Workbench, target: string): Promise<Declared> {
  const none = {
    title: undefined,
    inputs: new Map(),
    examples: new Map(),
    about: new Map(),
    chosen: new Set<string>(),
    fenced: new Set<string>(),
    histories: [],
    optional: new Set<string>(),
    omitting: new Set<string>(),
    decides: new Set<string>(),
  };
  const parsed = parseTarget(target);
  if (parsed?.prefix !== 'sheet') return none;
  const file = `sheets/${parsed.name}.yaml`;
  const text = await project.readText(file);
  const yaml = text.ok ? readYaml(file, text.value, 'E_SHEET') : undefined;
  if (yaml?.ok !== true || typeof yaml.value.value !== 'object' || yaml.value.value === null) return none;
  const {
    title,
    inputs = {},
    blocks = [],
  } = yaml.value.value as {
    readonly title?: string;
    readonly inputs?: Readonly<
      Record<
        string,
        {
          readonly description?: unknown;
          readonly example?: unknown;
          readonly trust?: unknown;
          readonly required?: boolean;
          readonly shape?: { readonly enum?: unknown };
        }
      >
    >;
    readonly blocks?: readonly {
      readonly name?: string;
      readonly blank?: string;
      readonly history?: { readonly name?: string; readonly required?: boolean };
    }[];
  };
  const entries = Object.entries(inputs);
  const looked = await templateInputs(project, blocks);
  return {
    title,
    decides: looked ?? new Set(entries.map(([name]) => name)),
    examples: new Map(
      entries.flatMap(([name, input]) => (typeof input?.example === 'string' ? [[name, input.example]] : [])),
    ),
    about: new Map(
      entries.map(([name, input]) => [
        name,
        {
          ...(typeof input?.description === 'string' ? { description: input.description } : {}),
          ...(typeof input?.example === 'string' ? { example: input.example } : {}),
        },
      ]),
    ),
    // A stand-in must have the form that the sheet asks for: the example has it.
    inputs: new Map(
      entries.map(([name, input]) => [
        name,
        input?.shape !== undefined && typeof input.example === 'string' ? input.example : undefined,
      ]),
    ),
    chosen: new Set(entries.filter(([, input]) => input?.shape?.enum !== undefined).map(([name]) => name)),
    fenced: new Set(
      entries.flatMap(([name, input]) => (input?.shape === undefined && isLow(input?.trust) ? [name] : [])),
    ),
    omitting: new Set(
      blocks.flatMap(({ name, blank }) => (blank === 'omit' && name !== undefined ? [name] : [])),
    ),
    histories: blocks.flatMap((block) =>
      block?.history === undefined ? [] : [block.history?.name ?? 'history'],
    ),
    optional: new Set([
      ...entries.flatMap(([name, input]) => (input?.required === false ? [name] : [])),
      ...blocks.flatMap(({ history }) =>
        history === undefined || history?.required === true ? [] : [history?.name ?? 'history'],
      ),
    ]),
  };
}

const isLow = (trust: unknown): boolean =>
  TRUSTS.indexOf(trust as (typeof TRUSTS)[number]) > TRUSTS.indexOf('operator');

/** The inputs that the templates of a sheet and of its texts name; undefined when a person wrote one, which may name any. */
async function templateInputs(
  project: Workbench['project'],
  value: unknown,
): Promise<ReadonlySet<string> | undefined> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const queue: unknown[] = [value];
  for (const each of queue) {
    if (typeof each !== 'object' || each === null) continue;
    if ('template' in each) {
      const facts = typeof each.template === 'string' ? templateFacts(each.template) : undefined;
      if (facts === undefined) return undefined;
      for (const name of facts.inputs) names.add(name);
    }
    if ('include' in each && typeof each.include === 'string' && !seen.has(each.include)) {
      seen.add(each.include);
      const file = `texts/${each.include}.yaml`;
      const text = await project.readText(file);
      const yaml = text.ok ? readYaml(file, text.value, 'E_SHEET') : undefined;
      if (yaml?.ok === true) queue.push(yaml.value.value);
    }
    queue.push(...Object.values(each));
  }
  return names;
}
