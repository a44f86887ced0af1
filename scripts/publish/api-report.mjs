// @ts-check
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What a published package exports, a declaration for each name, without comments: a change of it is a change for
 * people who use the package.
 *
 * @param {string} folder of the published package
 * @returns {string}
 */
export function apiReport(folder) {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.entries(exports).flatMap(([path, to]) =>
    to.types ? [{ path, file: to.types }] : [],
  );
  const parts = entries.map(({ path, file }) => {
    const rows = [...exportsOf(join(folder, file))].sort(([one], [other]) => (one < other ? -1 : 1));
    const texts = rows.map(([exported, text]) =>
      text.includes(exported) ? text : `${text} // as ${exported}`,
    );
    return `// ${path === '.' ? name : `${name}${path.slice(1)}`}\n\n${texts.join('\n')}\n`;
  });
  return parts.join('\n');
}

/**
 * @param {string} file
 * @returns {Map<string, string>} the declarations by exported name
 */
function exportsOf(file) {
  const statements = statementsOf(file);
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const { text } of statements) {
    const [, list, from] = /^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?;$/s.exec(text) ?? [];
    const [, all] = /^export \* from '([^']+)';$/.exec(text) ?? [];
    if (all !== undefined) for (const [name, each] of exportsOf(target(file, all))) found.set(name, each);
    for (const item of list?.split(',') ?? []) {
      const [name = '', as = name] = item
        .trim()
        .replace(/^type /, '')
        .split(' as ');
      if (name === '') continue;
      const there = from === undefined ? localsOf(statements) : exportsOf(target(file, from));
      found.set(as, there.get(name) ?? `declare ${name}`);
    }
  }
  for (const [name, text] of localsOf(statements.filter(({ text }) => text.startsWith('export '))))
    found.set(name, text);
  return found;
}

const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract )?(?:function|const|let|class|interface|type|enum|namespace) ([\w$]+)/;

/** @param {ReturnType<typeof statementsOf>} statements */
function localsOf(statements) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const { text } of statements) {
    const name = DECLARED.exec(text)?.[1];
    if (name === undefined) continue;
    const before = found.get(name);
    found.set(name, before === undefined ? text : `${before}\n${text}`);
  }
  return found;
}

/** The statements of a declaration file as the compiler prints it: each begins in the first column. @param {string} file */
function statementsOf(file) {
  const text = readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  /** @type {string[]} */
  const statements = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    if (/^[a-z]/.test(line)) statements.push(line);
    else statements.push(`${statements.pop() ?? ''}\n${line}`);
  }
  return statements.map((each) => ({ text: each.trimEnd() }));
}

/** @param {string} file @param {string} specifier */
const target = (file, specifier) => join(dirname(file), specifier.replace(/\.js$/, '.d.ts'));
