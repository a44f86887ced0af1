import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registeredCodes } from './codes.js';
import { findCycle, importedFile } from './import-graph.js';
import { ROOT } from './root.js';
import { type SourceFacts, sourceFacts } from './source-facts.js';
import { filesUnder, workspaces } from './workspaces.js';

/** What composing takes. */
const ON_THE_KERNEL = ['@cuebook/prompt', '@cuebook/files', '@cuebook/yaml', '@cuebook/profile'];
/** What running takes beside it. */
const RUNNING = ['@cuebook/process', '@cuebook/journal', '@cuebook/provider', '@cuebook/engine'];

/** Every package may name its checks. */
const GUARD = '@cuebook/guard';

/** What each package and app may import beside it. A new package gets its row here first. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'packages/guard': [],
  'packages/template': [],
  'packages/prompt': [],
  'packages/files': [],
  'packages/process': [],
  'packages/yaml': ['@cuebook/prompt'],
  'packages/profile': ['@cuebook/prompt', '@cuebook/files', '@cuebook/yaml'],
  'packages/sheet': [...ON_THE_KERNEL, '@cuebook/template'],
  'packages/adopt': ['@cuebook/prompt', '@cuebook/yaml'],
  'packages/editor': ON_THE_KERNEL,
  'packages/manifest': [...ON_THE_KERNEL, '@cuebook/template'],
  'packages/define': [...ON_THE_KERNEL, '@cuebook/process'],
  'packages/journal': ['@cuebook/prompt', '@cuebook/files'],
  'packages/provider': ['@cuebook/prompt', '@cuebook/files', '@cuebook/process', '@cuebook/yaml'],
  'packages/engine': ['@cuebook/prompt', '@cuebook/journal', '@cuebook/provider'],
  'packages/host': [
    '@cuebook/prompt',
    '@cuebook/files',
    '@cuebook/process',
    '@cuebook/journal',
    '@cuebook/provider',
    '@cuebook/engine',
  ],
  'packages/workspace': ['@cuebook/prompt', '@cuebook/files', '@cuebook/process'],
  'packages/team': [...ON_THE_KERNEL, ...RUNNING, '@cuebook/host', '@cuebook/workspace'],
  'packages/workflow': [...ON_THE_KERNEL, ...RUNNING, '@cuebook/host'],
  'packages/turn': [
    '@cuebook/prompt',
    '@cuebook/profile',
    '@cuebook/journal',
    '@cuebook/provider',
    '@cuebook/engine',
    '@cuebook/host',
  ],
  'packages/bundle': [...ON_THE_KERNEL, '@cuebook/api'],
  'packages/eval': ['@cuebook/prompt'],
  'packages/platform': [
    '@cuebook/prompt',
    '@cuebook/files',
    '@cuebook/journal',
    '@cuebook/bundle',
    '@cuebook/eval',
  ],
  'packages/resident': [...ON_THE_KERNEL, ...RUNNING, '@cuebook/host', '@cuebook/api', '@cuebook/bundle'],
  'packages/thread': [...ON_THE_KERNEL, ...RUNNING, '@cuebook/host', '@cuebook/define'],
  'packages/api': [],
  'packages/controller': ['@cuebook/prompt'],
  'apps/server': [
    ...ON_THE_KERNEL,
    ...RUNNING,
    '@cuebook/api',
    '@cuebook/host',
    '@cuebook/define',
    '@cuebook/thread',
    '@cuebook/workflow',
    '@cuebook/workspace',
    '@cuebook/team',
    '@cuebook/bundle',
    '@cuebook/platform',
    '@cuebook/resident',
    '@cuebook/turn',
    '@cuebook/sheet',
    '@cuebook/manifest',
    '@cuebook/workspace',
  ],
  'apps/operator': [
    '@cuebook/prompt',
    '@cuebook/files',
    '@cuebook/yaml',
    '@cuebook/manifest',
    '@cuebook/controller',
  ],
  'apps/web': ['@cuebook/prompt', '@cuebook/api'],
  'apps/vscode': [],
  'apps/cli': [
    ...ON_THE_KERNEL,
    ...RUNNING,
    '@cuebook/sheet',
    '@cuebook/adopt',
    '@cuebook/editor',
    '@cuebook/template',
    '@cuebook/manifest',
    '@cuebook/define',
    '@cuebook/host',
    '@cuebook/workspace',
    '@cuebook/team',
    '@cuebook/workflow',
    '@cuebook/bundle',
    '@cuebook/platform',
    '@cuebook/resident',
    '@cuebook/thread',
    '@cuebook/turn',
    '@cuebook/eval',
    '@cuebook/api',
    '@cuebook/controller',
    // Loaded by name when `up`, a team run or `operator` is called, never before.
    '@cuebook/server',
    '@cuebook/operator',
  ],
};

/** No package: VS Code hands it to its extensions. */
const GIVEN_BY_EDITOR = 'vscode';

/** Packages that run in a browser and give the same answer every time. */
const PURE = ['packages/template', 'packages/prompt', 'packages/eval'];
const IMPURE =
  /^(Math\.random|Date\.now|new Date|performance\.now|crypto\.\w+|globalThis\.crypto|process\.\w+)$/;

const FILE_SYSTEM = ['fs', 'fs/promises', 'node:fs', 'node:fs/promises'];
const PROGRAMS = ['child_process', 'node:child_process', 'cluster', 'node:cluster'];
/** Reads /proc, which is no disk, and is below `packages/files`: a shell that reads it costs several times as much. */
const READS_PROCESSES = 'packages/process/src/proc.ts';
/** Builds a clone that has nothing built yet, and asks whether a home is there: no package of ours is loaded then. */
const STARTS_BEFORE_ALL = 'apps/cli/bin/cuebook.js';
const MAX_LINES = 400;
const VAGUE = /^(utils?|helpers?|managers?|common|misc|shared)$/;

interface Shipped extends SourceFacts {
  readonly file: string;
  readonly text: string;
}

const HOUSE = workspaces().map((workspace) => ({ ...workspace, files: shippedFiles(workspace.folder) }));
const ALL = HOUSE.flatMap((workspace) => workspace.files);

describe.each(HOUSE)('$folder', ({ folder, manifest, files }) => {
  const imported = new Set(files.flatMap((file) => file.imports).filter((name) => !name.startsWith('.')));
  const packages = [...imported].filter((name) => !isBuiltin(name)).map(packageOf);

  it('imports only what its row allows', () => {
    const ours = packages.filter((name) => isOurs(name));
    expect(ALLOWED, 'add a row to ALLOWED').toHaveProperty([folder]);
    expect(ours.filter((name) => name !== GUARD && !ALLOWED[folder]?.includes(name))).toEqual([]);
    expect(
      Object.keys(manifest.dependencies ?? {}).filter(
        (name) => isOurs(name) && name !== GUARD && !ALLOWED[folder]?.includes(name),
      ),
    ).toEqual([]);
  });

  it('declares every package it imports', () => {
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
    expect(packages.filter((name) => !(name in declared) && name !== GIVEN_BY_EDITOR)).toEqual([]);
  });

  // A handler that is loaded when it is called may look at the table that names it.
  it('has no cycle between its files', () => {
    const inside = (file: Shipped) => file.eager.filter((name) => name.startsWith('.'));
    const edges = files.map(
      (file) => [file.file, inside(file).map((name) => importedFile(file.file, name))] as const,
    );
    expect(findCycle(new Map(edges))).toBeUndefined();
  });

  it('keeps relative imports inside and away from its own index', () => {
    const targets = files.flatMap(({ file, imports }) =>
      imports
        .filter((name) => name.startsWith('.'))
        .map((name) => ({ file, target: importedFile(file, name) })),
    );
    const isStray = (target: string) =>
      !target.startsWith(`${folder}/`) || target === `${folder}/src/index.ts`;
    expect(targets.filter(({ target }) => isStray(target))).toEqual([]);
  });

  it('exports by name', () => {
    expect(files.filter((file) => file.stars.length > 0).map((file) => file.file)).toEqual([]);
  });

  if (folder !== 'packages/files') {
    it('touches the disk only through packages/files', () => {
      const own = files.filter(({ file }) => file !== READS_PROCESSES && file !== STARTS_BEFORE_ALL);
      const readers = own.filter(({ imports }) => imports.some((name) => FILE_SYSTEM.includes(name)));
      expect(readers.map(({ file }) => file)).toEqual([]);
    });
  }

  if (folder === 'packages/process') {
    it('reads nothing of the disk but /proc', () => {
      const { strings = [] } = files.find(({ file }) => file === READS_PROCESSES) ?? {};
      const paths = strings.filter((text) => /^\/./.test(text));
      expect(paths).toContain('/proc/');
      expect(paths.filter((path) => path !== '/proc' && path !== '/proc/')).toEqual([]);
    });
  }

  if (folder !== 'packages/process') {
    it('starts programs only through packages/process', () => {
      const own = files.filter(({ file }) => file !== STARTS_BEFORE_ALL);
      const starters = own.filter(({ imports }) => imports.some((name) => PROGRAMS.includes(name)));
      expect(starters.map(({ file }) => file)).toEqual([]);
    });
  }

  if (folder !== 'packages/yaml') {
    it('reads and writes YAML only through packages/yaml', () => {
      expect(packages.filter((name) => name === 'yaml')).toEqual([]);
      expect(Object.keys(manifest.dependencies ?? {})).not.toContain('yaml');
    });
  }

  if (PURE.includes(folder)) {
    it('is pure: no built-in module, clock, randomness or process', () => {
      expect([...imported].filter((name) => isBuiltin(name))).toEqual([]);
      const impure = files.flatMap(({ file, members }) =>
        members.filter((member) => IMPURE.test(member)).map((member) => `${file}: ${member}`),
      );
      expect(impure).toEqual([]);
    });
  }

  it('ships the licence of the repository', () => {
    expect(readFileSync(join(ROOT, folder, 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(ROOT, 'LICENSE'), 'utf8'),
    );
  });
});

describe('shipped code', () => {
  it('has no file past the limit of lines', () => {
    const long = ALL.filter(({ text }) => text.split('\n').length - 1 > MAX_LINES);
    expect(long.map(({ file }) => file)).toEqual([]);
  });

  it('names files in kebab-case after what they hold', () => {
    const stems = ALL.map(({ file }) => ({ file, stem: basename(file).replace(/\.\w+$/, '') }));
    const bad = stems.filter(({ stem }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem) || VAGUE.test(stem));
    expect(bad).toEqual([]);
  });

  it('uses no error code without an entry', async () => {
    const known = await registeredCodes();
    const used = ALL.flatMap(({ file, strings }) =>
      strings.filter((text) => /^E_[A-Z0-9_]+$/.test(text)).map((code) => ({ file, code })),
    );
    expect(used.filter(({ code }) => !known.has(code))).toEqual([]);
  });
});

describe('the readers of this test', () => {
  it('see every way to load a module', () => {
    const code = [
      "import type { A } from 'a';",
      "import 'b';",
      "export { c } from 'c';",
      "export * from 'd';",
      "const e = await import('e');",
      "type F = import('f').F;",
      "const g = require('g');",
      "const h = process.getBuiltinModule('h');",
      '// import "not this"',
      "const text = `import 'nor this'`;",
    ].join('\n');
    const facts = sourceFacts('x.ts', code);
    expect([...facts.imports].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    expect(facts.imports.filter((name) => !facts.eager.includes(name))).toEqual(['e']);
    expect(facts.stars).toEqual(['d']);
  });

  it('see codes, clocks and randomness', () => {
    const facts = sourceFacts('x.ts', "f('E_A', { E_B: 1 }, `E_C`, Math.random(), new Date(), new Date(0));");
    expect([...facts.strings].sort()).toEqual(['E_A', 'E_B', 'E_C']);
    expect([...facts.members].sort()).toEqual(['Math.random', 'new Date']);
  });

  it('find a cycle and print it as a path', () => {
    const graph = { a: ['b'], b: ['c'], c: ['d', 'b'], d: [] };
    expect(findCycle(new Map(Object.entries(graph)))).toEqual(['b', 'c', 'b']);
    expect(findCycle(new Map(Object.entries({ ...graph, c: ['d'] })))).toBeUndefined();
  });
});

function shippedFiles(folder: string): readonly Shipped[] {
  const sources = filesUnder(`${folder}/src`, ['.ts', '.tsx']).filter((file) => !/\.test\.tsx?$/.test(file));
  return [...sources, ...filesUnder(`${folder}/bin`, ['.js'])].map((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const facts = sourceFacts(file, text);
    // A bin loads its own built output: not an import of a source file.
    const imports = facts.imports.filter((name) => !name.startsWith('../dist/'));
    return { ...facts, imports, file, text };
  });
}

function packageOf(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

function isOurs(name: string): boolean {
  return name.startsWith('@cuebook/') || HOUSE.some((workspace) => workspace.manifest.name === name);
}
