import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseTemplate, signed } from '@cuebook/template';
import { printYaml, readYamlDocuments } from '@cuebook/yaml';

/** The chart's folder. */
export const CHART: string = fileURLToPath(new URL('../chart/', import.meta.url));

type Values = Readonly<Record<string, unknown>>;

/**
 * The chart as Helm renders it, by the template engine of Cuebook and the functions that its templates use, each as Helm
 * and Sprig define them: every template in the order of its name.
 */
export function renderChart(namespace: string, over: Values = {}): string {
  const read = (file: string): string => readFileSync(join(CHART, file), 'utf8');
  const value = (file: string): Values =>
    (readYamlDocuments(file, read(file), 'E_MANIFEST').documents[0]?.value ?? {}) as Values;
  const { appVersion, version, name } = value('Chart.yaml');
  const data = {
    Values: merged(value('values.yaml'), over),
    Chart: { AppVersion: appVersion, Version: version, Name: name },
    Release: { Namespace: namespace, Name: 'cuebook' },
  };
  const files = readdirSync(join(CHART, 'templates')).sort();
  const parts = files
    .filter((file) => file.startsWith('_'))
    .map((file) => read(`templates/${file}`))
    .join('');
  const render = (file: string, text: string, with_: unknown): string => {
    const parsed = parseTemplate({ name: file, text: `${parts}{{- "" }}${text}`, functions });
    if (!parsed.ok) throw new Error(parsed.error.message);
    const rendered = parsed.value.render(with_, { functions });
    if (!rendered.ok) throw new Error(rendered.error.message);
    return rendered.value.text;
  };
  const nindent = (spaces: number, text: string): string =>
    `\n${text
      .split('\n')
      .map((line) => ' '.repeat(spaces) + line)
      .join('\n')}`;
  const functions = {
    include: (part: string, with_: unknown) =>
      render(`include ${part}`, `{{template ${JSON.stringify(part)} .}}`, with_),
    toYaml: (each: unknown) => printYaml(each as Values).trimEnd(),
    nindent: signed(['int', 'string'], (spaces: number | bigint, text: string) =>
      nindent(Number(spaces), text),
    ),
    default: (other: unknown, given: unknown) => (given === '' || given == null ? other : given),
    list: (...items: readonly unknown[]) => items,
    fail: (message: string) => {
      throw new Error(message);
    },
  };
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => render(file, read(`templates/${file}`), data).trim())
    .filter((text) => text !== '')
    .map((text) => `---\n${text.replace(/^---\n/, '')}\n`)
    .join('');
}

function merged(below: Values, over: Values): Values {
  const isValues = (each: unknown): each is Values =>
    typeof each === 'object' && each !== null && !Array.isArray(each);
  const entries = Object.entries(over).map(([key, each]): [string, unknown] => {
    const known = below[key];
    return [key, isValues(each) && isValues(known) ? merged(known, each) : each];
  });
  return { ...below, ...Object.fromEntries(entries) };
}
