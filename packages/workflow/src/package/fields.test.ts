import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { memorySource, openFolder, type TextSource, zipSource } from '@cuebook/files';
import { watchedSource } from '@cuebook/profile';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { runs } from '../../../../test/runs.js';
import { makeZip } from '../../../files/test/make-zip.js';
import { AGENTS, agent, MANIFEST, type Parts, packageTexts } from '../../test/fixture.js';
import { makeRoot } from '../../test/scratch.js';
import { createWorkflowProfile } from '../profile.js';
import { bulletOf, bulletsOf } from './bullets.js';
import { loadPackage } from './load.js';
import { isOlder, packageDigest, RUNTIME_VERSION } from './requirements.js';
import { agentsSchema } from './schema.js';

function sourceOf(texts: Readonly<Record<string, string>>): TextSource {
  const made = memorySource(texts);
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}

/** What the package makes of its parts: what is told in each mode, and what is said about it. */
async function behaviour(parts: Parts, input: Readonly<Record<string, unknown>> = {}) {
  const profile = createWorkflowProfile();
  const loaded = await profile.load(sourceOf(packageTexts(parts)), '.');
  if (!loaded.ok) return { told: null, codes: loaded.diagnostics.map(({ code, path }) => `${code} ${path}`) };
  const composed = profile.compose(loaded.value, profile.input.parse(input));
  const told = composed.ok
    ? composed.value.blocks.map(({ pieces }) => pieces.map(({ text }) => text).join('')).join('\n\n')
    : null;
  const rules = [
    ...loaded.diagnostics,
    ...profile.check(loaded.value),
    ...(composed.ok ? [] : composed.diagnostics),
  ];
  return { told, codes: rules.map(({ code, path }) => `${code} ${path ?? ''}`) };
}

const one = (more: Readonly<Record<string, unknown>>): Parts => ({
  agents: { ...AGENTS, agents: [agent('sm', more), ...AGENTS.agents.slice(1)] },
});

describe('points', () => {
  const item = fc
    .stringMatching(/^[A-Za-zÀ-ž][A-Za-z0-9À-ž ,.'-]{0,30}[A-Za-z0-9]$/)
    .filter((text) => !/ {2}| (?:-|\d{1,3}\.)(?: |$)/.test(text));
  const items = fc.array(item, { minLength: 1, maxLength: 6 });
  const written = fc.constantFrom(
    (list: readonly string[]) => list,
    (list: readonly string[]) => list.join('\n'),
    (list: readonly string[]) => `${list.join('\n')}\n`,
    (list: readonly string[]) => list.join('\r\n'),
    (list: readonly string[]) => list.join('\n\n'),
    (list: readonly string[]) => list.map((text) => `- ${text}`).join('\n'),
    (list: readonly string[]) => list.map((text) => `  * ${text}  `).join('\n'),
    (list: readonly string[]) => list.map((text) => `• ${text}`),
    (list: readonly string[]) => list.map((text, at) => `${at + 1}. ${text}`).join('\n'),
    (list: readonly string[]) => list.map((text) => `- ${text.replace(/ /, '\n   ')}`).join('\n'),
    (list: readonly string[]) => list.map((text) => text.replace(/ /, '\n')),
  );

  it.each([
    ['principles', (value: unknown) => ({ persona: { ...agent('sm').persona, principles: value } })],
    ['critical_actions', (value: unknown) => ({ critical_actions: value })],
  ])('%s are the same bullets, as a text, a text of lines or a list', async (_title, field) => {
    await fc.assert(
      fc.asyncProperty(items, written, async (list, write) => {
        const { told } = await behaviour(one(field(write(list))));
        expect(told).not.toBeNull();
        expect(told).toBe((await behaviour(one(field(list)))).told);
        for (const text of list) expect(told).toContain(`\n- ${text}\n`);
      }),
      runs(60, 2_000),
    );
  });

  it('a bullet is one line, and nothing of a text is lost but signs and white space', () => {
    const plain = (text: string) => text.replace(/[^ab]/g, '');
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r', '-', '*', '1', '.', '•') }),
        (text) => {
          const points = bulletsOf(text);
          for (const point of [...points, bulletOf(text)]) expect(point).not.toMatch(/[\n\r]/);
          expect(plain(points.join(''))).toBe(plain(text));
          expect(plain(bulletOf(text))).toBe(plain(text));
        },
      ),
      runs(500, 20_000),
    );
  });
});

describe('what a manifest asks for', () => {
  const asking = (more: object): Parts => ({ manifest: { ...MANIFEST, ...more } });

  it.each([
    ['99.0.0', false],
    ['0.1.1', false],
    ['0.1.0', true],
    ['0.0.9', true],
    ['0.1.0-beta.1', true],
    ['0.2.0-alpha', false],
  ])('minRuntimeVersion %s', async (minRuntimeVersion, isFine) => {
    const loaded = await loadPackage(sourceOf(packageTexts(asking({ runtime: { minRuntimeVersion } }))));
    expect(loaded.ok).toBe(isFine);
    if (!isFine)
      expect(loaded.diagnostics[0]).toMatchObject({
        code: 'E_PACKAGE_RUNTIME',
        path: 'runtime.minRuntimeVersion',
      });
  });

  it('the version of the runtime is the one of the package', () => {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    expect(RUNTIME_VERSION).toBe((JSON.parse(manifest) as { version: string }).version);
  });

  it('versions have the order of semantic versions', () => {
    const order = [
      '0.9.9',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0',
    ];
    const pairs = order.flatMap((version, at) =>
      order.map((other, index) => ({ version, other, isBefore: at < index })),
    );
    for (const { version, other, isBefore } of pairs) {
      expect([version, other, isOlder(version, other)]).toEqual([version, other, isBefore]);
    }
    expect(isOlder('1.0.0+a', '1.0.0+b')).toBe(false);
  });

  it('integrity.sha256 is that of the files, and any other is refused', async () => {
    const plain = packageTexts(asking({}));
    const digest = await packageDigest(sourceOf(plain));
    if (!digest.ok) throw new Error(digest.error);
    const stated = (sha256: string, files: Record<string, string> = plain) =>
      sourceOf({
        ...files,
        'bmad.json': JSON.stringify({ ...MANIFEST, integrity: { sha256 } }, null, 2),
      });
    expect((await loadPackage(stated(digest.value))).ok).toBe(true);
    expect((await loadPackage(stated(`sha256:${digest.value.toUpperCase()}`))).ok).toBe(true);
    const wrong = createHash('sha256').update('x').digest('hex');
    for (const source of [
      stated(wrong),
      ...Object.keys(plain)
        .filter((path) => path !== 'bmad.json')
        .map((path) => stated(digest.value, { ...plain, [path]: `${plain[path]} ` })),
      stated(digest.value, { ...plain, 'more.md': '' }),
    ]) {
      const loaded = await loadPackage(source);
      expect(loaded.diagnostics.map(({ code }) => code)).toContain('E_PACKAGE_INTEGRITY');
      expect(loaded.ok).toBe(false);
    }
    const renamed = { ...MANIFEST, name: 'other', integrity: { sha256: digest.value } };
    expect((await loadPackage(sourceOf({ ...plain, 'bmad.json': JSON.stringify(renamed) }))).ok).toBe(false);
  });
});

it.each(['a folder', 'an archive'])(
  'integrity.sha256 is that of the bytes of %s, text or not',
  async (kind) => {
    const others = {
      'logo.png': Buffer.from([0x89, 0x50, 0xff, 0x00, 0xfe]),
      'notes.md': Buffer.from('\ufeffwith a mark of byte order'),
      'empty.bin': Buffer.alloc(0),
    };
    const open = async (manifest: object, files: Readonly<Record<string, Buffer>>) => {
      const all: Record<string, string | Buffer> = {
        ...packageTexts(),
        'bmad.json': JSON.stringify(manifest),
        ...files,
      };
      if (kind === 'an archive') {
        const zip = await zipSource(makeZip(Object.entries(all).map(([name, data]) => ({ name, data }))));
        if (!zip.ok) throw new Error(zip.error.reason);
        return zip.value;
      }
      const root = makeRoot(all);
      const folder = await openFolder(root, { access: 'ro' });
      if (!folder.ok) throw new Error(folder.error.code);
      return folder.value;
    };
    const hex = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
    const inOrder = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(inOrder);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
    };
    const rows = Object.entries({
      ...packageTexts(),
      ...others,
      'bmad.json': JSON.stringify(inOrder(MANIFEST)),
    }).sort(([a], [b]) => (a < b ? -1 : 1));
    const sha256 = hex(rows.map(([path, bytes]) => `${hex(bytes)}  ${path}\n`).join(''));
    const codes = async (source: TextSource) => {
      // As the commands do: through a source that watches what is read.
      const loaded = await loadPackage(watchedSource(source).source);
      return loaded.diagnostics.map(({ code }) => code).filter((code) => code.startsWith('E_'));
    };
    const stated = { ...MANIFEST, integrity: { sha256 } };
    expect(await codes(await open(stated, others))).toEqual([]);
    for (const name of Object.keys(others)) {
      const changed = { ...others, [name]: Buffer.from([0x00]) };
      expect(await codes(await open(stated, changed))).toEqual(['E_PACKAGE_INTEGRITY']);
    }
  },
);

/** Every field of an agent, by walking the schema: the path, as it is written in `agents.json`. */
function fieldsOf(schema: z.ZodType, path: readonly string[] = []): readonly (readonly string[])[] {
  const { def } = schema._zod as unknown as {
    def: { type: string; innerType?: z.ZodType; shape?: Record<string, z.ZodType>; element?: z.ZodType };
  };
  if (def.innerType) return fieldsOf(def.innerType, path);
  if (def.type === 'array' && def.element) return fieldsOf(def.element, [...path, '0']);
  if (def.shape) return Object.entries(def.shape).flatMap(([key, inner]) => fieldsOf(inner, [...path, key]));
  return [path];
}

describe('every field of an agent', () => {
  const FULL = agent('sm', {
    prompts: [{ id: 'greet', content: 'Say hello to all.', description: 'A greeting' }],
    menu: [
      {
        description: 'Greets',
        trigger: 'hello',
        triggers: ['hi'],
        workflow: 'hb',
        action: '#greet',
        data: '@pkg/notes.md',
      },
    ],
    tools: {
      fs: { enabled: true, maxReadBytes: 5_000, maxWriteBytes: 5_000 },
      mcp: { enabled: false, allowedServers: ['a'] },
    },
  });
  /** Where another value is told, and with what input. Fields that stand nowhere here are warned about. */
  const INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'menu.0.trigger': { menu: 'changed' },
    'menu.0.triggers.0': { menu: 'changed' },
    'menu.0.workflow': { menu: 'hello' },
    'menu.0.action': { menu: 'hello' },
    'menu.0.data': { menu: 'hello' },
    'menu.0.description': { menu: 'hello' },
    'prompts.0.content': { menu: 'hello' },
  };
  /** Words about an agent for people: who lists agents shows them, and no model is told. */
  const FOR_PEOPLE = [
    'metadata.icon',
    'metadata.module',
    'metadata.description',
    'metadata.sourceId',
    'prompts.0.description',
  ];
  const CHANGED: Readonly<Record<string, unknown>> = {
    'persona.principles': 'Something else',
    critical_actions: 'Something else',
    'tools.fs.enabled': false,
    'tools.fs.maxReadBytes': 77,
    'tools.fs.maxWriteBytes': 77,
    'tools.mcp.enabled': true,
    discussion: true,
    webskip: true,
    'conversational_knowledge.0': { a: 1 },
    'menu.0.action': 'Say something else.',
    'menu.0.data': '@pkg/other.md',
    'menu.0.workflow': 'nowhere',
  };
  const element = (agentsSchema.shape.agents._zod.def as unknown as { element: z.ZodType }).element;
  const paths = fieldsOf(element).map((path) => path.join('.'));
  const files = { 'notes.md': 'The notes.', 'other.md': 'Other notes.' };
  const settings = { mcp: { enabled: true } };

  it('is walked', () => {
    expect(paths).toEqual(expect.arrayContaining(['persona.role', 'systemPrompt', 'menu.0.data', 'webskip']));
    expect(paths.length).toBeGreaterThan(25);
  });

  it.each(paths.filter((path) => !FOR_PEOPLE.includes(path)))(
    '%s changes what is told, or is warned about',
    async (path) => {
      const changed = put(FULL, path.split('.'), CHANGED[path] ?? 'changed');
      const tell = async (own: object) => {
        const profile = createWorkflowProfile({ settings });
        const texts = packageTexts({
          agents: { ...AGENTS, agents: [own, ...AGENTS.agents.slice(1)] },
          files,
        });
        const loaded = await profile.load(sourceOf(texts), '.');
        if (!loaded.ok) return loaded;
        const composed = profile.compose(
          loaded.value,
          profile.input.parse({ mode: 'agent', ...INPUTS[path] }),
        );
        return { diagnostics: [...loaded.diagnostics, ...profile.check(loaded.value)], composed };
      };
      const [before, after] = [await tell(FULL), await tell(changed)];
      expect(JSON.stringify(after)).not.toBe(JSON.stringify(before));
    },
  );

  it.each([
    ['userPromptTemplate', { userPromptTemplate: 'x' }],
    ['discussion', { discussion: false }],
    ['webskip', { webskip: true }],
    ['conversational_knowledge', { conversational_knowledge: [{ a: 1 }] }],
    ['critical_actions', { critical_actions: ['x'], systemPrompt: 'You are short.' }],
    ['prompts[0]', { prompts: [{ id: 'lost', content: 'x' }] }],
    ['menu[0].exec', { menu: [{ description: 'x', exec: 'y' }] }],
    ['menu[0].ide-only', { menu: [{ description: 'x', 'ide-only': true }] }],
    ['menu[0].validate-workflow', { menu: [{ description: 'x', 'validate-workflow': 'y' }] }],
    ['menu[0].whatever', { menu: [{ description: 'x', whatever: 1 }] }],
    ['menu[0].action', { menu: [{ description: 'x', action: '#gone' }] }],
    ['menu[0].workflow', { menu: [{ description: 'x', workflow: 'gone' }] }],
  ])('%s that nothing reads is a warning at its place', async (path, more) => {
    const { codes } = await behaviour(one(more));
    expect(codes).toContain(`W_PACKAGE_UNUSED agents[0].${path}`);
  });

  it('an agent with nothing but what is read has no warning', async () => {
    expect((await behaviour(one({}))).codes).toEqual([]);
  });
});

describe('a policy without the tools of the protocol', () => {
  it.each([
    ['the agent of a step', one({ tools: { fs: { enabled: false } } }), {}],
    ['the settings', {}, { fs: { enabled: false } }],
  ])('is an error: %s', async (_title, parts, settings) => {
    const profile = createWorkflowProfile({ settings });
    const loaded = await profile.load(sourceOf(packageTexts(parts)), '.');
    if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
    const found = profile.check(loaded.value);
    expect(found.map(({ code, severity }) => `${severity} ${code}`)).toContain('error E_PACKAGE_TOOLS');
  });

  it('is none where the agent speaks at no step', async () => {
    const idle = agent('idle', { tools: { fs: { enabled: false } } });
    const { codes } = await behaviour({ agents: { ...AGENTS, agents: [...AGENTS.agents, idle] } });
    expect(codes).toEqual([]);
  });
});

function put(value: unknown, path: readonly string[], leaf: unknown): Record<string, unknown> {
  const [key = '', ...rest] = path;
  const isList = Array.isArray(value);
  const record = Object(value ?? (/^\d+$/.test(key) ? [] : {})) as Record<string, unknown>;
  const next =
    rest.length === 0 ? leaf : put(record[key] ?? (/^\d+$/.test(rest[0] ?? '') ? [] : {}), rest, leaf);
  if (isList) return value.map((each: unknown, at) => (String(at) === key ? next : each)) as never;
  if (Array.isArray(record)) return [next] as never;
  return { ...record, [key]: next };
}
