/**
 * What the rules of one `.gitignore` say of a path relative to its folder. The last rule that speaks of it counts: true
 * when it is ignored, false when `!` takes it back, undefined when no rule speaks of it.
 */
export function ignoreVerdict(text: string, path: string, isFolder: boolean): boolean | undefined {
  const last = readRules(text).findLast((rule) => (isFolder || !rule.onlyFolders) && rule.pattern.test(path));
  return last && !last.isTakenBack;
}

interface Rule {
  readonly pattern: RegExp;
  readonly isTakenBack: boolean;
  readonly onlyFolders: boolean;
}

const read = new Map<string, readonly Rule[]>();

function readRules(text: string): readonly Rule[] {
  const known = read.get(text);
  if (known !== undefined) return known;
  if (read.size > MAX_TEXTS) read.clear();
  const rules = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap(readRule);
  read.set(text, rules);
  return rules;
}

/** Texts whose rules are remembered. */
const MAX_TEXTS = 200;

function readRule(line: string): readonly Rule[] {
  const isTakenBack = line.startsWith('!');
  // Blanks at the end mean nothing, unless a backslash keeps them.
  const plain = (isTakenBack ? line.slice(1) : line).replace(/(?<!\\)((?:\\\\)*) +$/, '$1');
  if (plain === '' || (plain.startsWith('#') && !isTakenBack)) return [];
  const onlyFolders = plain.endsWith('/');
  const body = onlyFolders ? plain.slice(0, -1) : plain;
  const isRooted = body.includes('/');
  const source = /^\/\*\*+$/.test(body) ? '.+' : patternOf(body.replace(/^\//, ''));
  if (source === undefined || body === '') return [];
  try {
    return [
      { pattern: new RegExp(`^${isRooted ? '' : '(?:.*/)?'}${source}$`, 's'), isTakenBack, onlyFolders },
    ];
  } catch {
    return []; // A class that is no class matches nothing.
  }
}

/** `*`, `?`, `[…]`, `**` between slashes, and `\\` before anything. Undefined: a pattern that cannot match. */
function patternOf(glob: string): string | undefined {
  let source = '';
  for (let at = 0; at < glob.length; ) {
    const rest = glob.slice(at);
    const isStart = at === 0 || glob.charAt(at - 1) === '/';
    const char = glob.charAt(at);
    if (isStart && rest.startsWith('**/')) {
      source += '(?:.*/)?';
      at += 3;
    } else if (isStart && rest === '**' && at > 0) {
      source += '.+';
      at += 2;
    } else if (char === '*') {
      source += '[^/]*';
      at += /^\*+/.exec(rest)?.[0].length ?? 1;
    } else if (char === '?') {
      source += '[^/]';
      at += 1;
    } else if (char === '[') {
      const found = /^\[([!^]?)(\]?(?:\\.|\[:\w+:\]|[^\]\\])*)\]/.exec(rest);
      if (found === null) return undefined;
      source += `(?!/)[${found[1] === '' ? '' : '^'}${classOf(found[2] ?? '')}]`;
      at += found[0].length;
    } else if (char === '\\') {
      if (at + 1 >= glob.length) return undefined;
      source += escaped(glob.charAt(at + 1));
      at += 2;
    } else {
      source += escaped(char);
      at += 1;
    }
  }
  return source;
}

const escaped = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');

const classOf = (body: string): string =>
  body
    .replace(/\[:(\w+):\]/g, (_, name: string) => NAMED_CLASSES[name] ?? '')
    .replace(/^\]/, '\\]')
    .replace(/(?<!\\)\[/g, '\\[')
    .replace(/\^/g, '\\^');

const NAMED_CLASSES: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  xdigit: '0-9A-Fa-f',
};
