import { templateFacts } from '@cuebook/adopt';
import type { TextSource } from '@cuebook/files';
import { parseTarget, type Workbench } from '@cuebook/profile';
import { findInvisible, TRUSTS } from '@cuebook/prompt';
import { printYaml, readYaml } from '@cuebook/yaml';

/** A project in which conditions and loops are inputs, so that the place of each is known when the target is composed. */
export interface OpenSections {
  readonly bench: Workbench;
  /** The template that each of those inputs stands for. */
  readonly templates: ReadonlyMap<string, string>;
}

type Plain = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Takes the templates of a sheet, and of the texts that it includes, out of composition. Undefined when there is none, or one
 * that must be composed: its inputs have a value, are fenced or confidential, or its text would be changed by the gates.
 */
export async function openSections(
  bench: Workbench,
  target: string,
  set: Readonly<Record<string, string>>,
): Promise<OpenSections | undefined> {
  const { project, redactor } = bench;
  const parsed = parseTarget(target);
  if (parsed?.prefix !== 'sheet') return undefined;
  const file = `sheets/${parsed.name}.yaml`;
  const sheet = await readMap(bench, file);
  if (sheet === undefined) return undefined;
  const inputs = isMap(sheet.inputs) ? sheet.inputs : {};
  const templates = new Map<string, string>();
  const files = new Map<string, string>();
  const used = new Set<string>();
  let isOpen = true;
  const standFor = (template: string): object => {
    const facts = templateFacts(template);
    const isKept =
      facts !== undefined &&
      facts.inputs.size > 0 &&
      [...facts.inputs].every((name) => Object.hasOwn(set, name));
    if (isKept) {
      for (const name of facts.inputs) used.add(name);
      return { template };
    }
    isOpen &&=
      facts !== undefined &&
      [...facts.inputs].every(
        (name) => !Object.hasOwn(set, name) && isPlainInput(inputs[name], facts.printed.has(name)),
      ) &&
      facts.texts.every(
        (text) => findInvisible(text).length === 0 && redactor.redactText(text).replacements.length === 0,
      );
    let name = `section-${templates.size + 1}`;
    while (Object.hasOwn(inputs, name)) name = `${name}-`;
    templates.set(name, template);
    return { input: name };
  };
  const replaced = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(await replaced(item));
      return items;
    }
    if (!isMap(value)) return value;
    if (typeof value.template === 'string') return standFor(value.template);
    if (typeof value.input === 'string') used.add(value.input);
    if (typeof value.include === 'string') await openText(value.include);
    const entries: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) entries.push([key, await replaced(inner)]);
    return Object.fromEntries(entries);
  };
  const openText = async (name: string): Promise<void> => {
    const path = `texts/${name}.yaml`;
    const text = files.has(path) ? undefined : await readMap(bench, path);
    if (text === undefined) return;
    files.set(path, '');
    files.set(path, printYaml((await replaced(text)) as Plain, { wide: true }));
  };
  const blocks = await replaced(sheet.blocks);
  if (!isOpen || templates.size === 0) return undefined;
  const rest = Object.entries(inputs).filter(([name]) => used.has(name));
  const added = [...templates.keys()].map((name) => [name, SECTION] as const);
  files.set(
    file,
    printYaml({ ...sheet, inputs: Object.fromEntries([...rest, ...added]), blocks }, { wide: true }),
  );
  return { bench: { ...bench, project: layered(project, files) }, templates };
}

/** A project with other texts in place of some of its files. */
function layered({ readTexts: _, ...project }: TextSource, files: ReadonlyMap<string, string>): TextSource {
  return {
    ...project,
    readText: async (path) => {
      const text = files.get(path);
      return text === undefined ? project.readText(path) : { ok: true, value: text };
    },
  };
}

const SECTION = {
  trust: 'operator',
  secrecy: 'public',
  volatility: 'turn',
  description: 'a condition or loop',
  example: 'x',
};

/** Whether an input may be named in a file, and is printed as it is where it is printed. */
const isPlainInput = (input: unknown, isPrinted: boolean): boolean =>
  isMap(input) &&
  input.secrecy === 'public' &&
  (!isPrinted || TRUSTS.indexOf(input.trust as (typeof TRUSTS)[number]) <= TRUSTS.indexOf('operator'));

async function readMap({ project }: Workbench, file: string): Promise<Plain | undefined> {
  const text = await project.readText(file);
  const yaml = text.ok ? readYaml(file, text.value, 'E_SHEET') : undefined;
  return yaml?.ok === true && isMap(yaml.value.value) ? yaml.value.value : undefined;
}
