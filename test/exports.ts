import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.js';
import { filesUnder, workspaces } from './workspaces.js';

/** One name that an entry point of a package exports. */
export interface Exported {
  /** As it is imported: `@cuebook/prompt` or `@cuebook/prompt/hint`. */
  readonly entry: string;
  readonly name: string;
  /** The source of the entry point, from the top of the checkout. */
  readonly file: string;
  /** Imported by another package, an app, an example, a script or a page; or named by the README of its package. */
  readonly isUsed: boolean;
}

/** Every exported name of every package, and whether somebody outside uses it. */
export function exportedNames(): readonly Exported[] {
  const texts = ['packages', 'apps', 'examples', 'docs', 'test', 'bench', 'scripts', 'README.md']
    .flatMap((top) => (top.endsWith('.md') ? [top] : filesUnder(top, ['.ts', '.tsx', '.js', '.mjs', '.md'])))
    .filter((file) => !/(?:^|\/)dist\//.test(file))
    .map((file) => ({ file, text: read(file) }));
  return workspaces().flatMap(({ folder, manifest }) => {
    const outside = texts.filter(({ file }) => !file.startsWith(`${folder}/src/`));
    const readme = texts.find(({ file }) => file === `${folder}/README.md`)?.text ?? '';
    const named = new Set(codeOf(readme).match(/\w+/g));
    return entriesOf(manifest.name, folder).flatMap(({ entry, file }) => {
      const imported = new Set(outside.flatMap(({ text }) => importsFrom(text, entry)));
      return exportsOf(read(file)).map((name) => ({
        entry,
        name,
        file,
        isUsed: imported.has(name) || named.has(name),
      }));
    });
  });
}

/** The names that a source exports. */
export function exportsOf(source: string): readonly string[] {
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    namesIn(list),
  );
  const own = source.matchAll(
    /^export (?:declare )?(?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm,
  );
  return [...lists.map(({ outer }) => outer), ...[...own].map(([, name = '']) => name)];
}

/**
 * The names that a text imports from an entry point. Where the entry point is loaded when it is called, every word of
 * the text counts: what is taken from it is not said in one place.
 */
export function importsFrom(text: string, entry: string): readonly string[] {
  if (!text.includes(`'${entry}'`)) return [];
  const quoted = entry.replaceAll('/', '\\/');
  const lists = text.matchAll(
    new RegExp(`(?:import|export)\\s+(?:type\\s+)?\\{([^}]*)\\}\\s+from\\s+'${quoted}'`, 'g'),
  );
  const isLoose = new RegExp(
    `import\\(\\s*'${quoted}'|\\* as \\w+ from '${quoted}'|resolve\\('${quoted}'`,
  ).test(text);
  return [
    ...[...lists].flatMap(([, list = '']) => namesIn(list).map(({ inner }) => inner)),
    ...(isLoose ? (text.match(/\w+/g) ?? []) : []),
  ];
}

/** `type A as B` is B outside and A inside. */
const namesIn = (list: string) =>
  list
    .replace(/\/\/.*$/gm, '')
    .split(',')
    .map((each) => each.trim().replace(/^type\s+/, ''))
    .filter((each) => each !== '')
    .map((each) => {
      const [inner = '', outer = inner] = each.split(/\s+as\s+/);
      return { inner, outer };
    });

/** What stands in code: between backticks, or in a fenced block. */
const codeOf = (markdown: string): string =>
  [...markdown.matchAll(/```[\s\S]*?```|`[^`\n]*`/g)].map(([code]) => code).join('\n');

function entriesOf(name: string, folder: string) {
  const { exports = {} } = JSON.parse(read(`${folder}/package.json`)) as {
    readonly exports?: Readonly<Record<string, { readonly '@cuebook/source'?: string }>>;
  };
  return Object.entries(exports).flatMap(([path, { '@cuebook/source': source }]) =>
    source === undefined ? [] : [{ entry: join(name, path), file: join(folder, source) }],
  );
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
