import { guard } from '@cuebook/guard';
import { confidentialOfRun, createMasker, eventsOf, viewRuns } from '@cuebook/journal';
import { findTargets, requireProfile, watchedSource } from '@cuebook/profile';
import { renderDocument } from '@cuebook/prompt';
import type { McpResource, McpResourceAnswer, McpResources } from '@cuebook/provider';
import { runComposer } from '@cuebook/thread';
import { shownEvent } from '../record/event-text.js';
import { withJournal } from '../record/journal.js';
import { type McpDesk, toClient } from './desk.js';

/** Events of a run that one answer has, and bytes of a file that are read. */
const MAX_EVENTS = 200;
const MAX_TEXT = 1_000_000;

/** The forms of addresses. What is in braces is percent-encoded. */
const TEMPLATES: McpResources['templates'] = [
  {
    uriTemplate: 'cuebook://render/{target}',
    name: 'A rendered prompt',
    description: 'The request of a target such as prompt:NAME, with the examples of its author',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'cuebook://text/{path}',
    name: 'A text that prompts are made of',
    mimeType: 'text/plain',
  },
  {
    uriTemplate: 'cuebook://run/{run}',
    name: 'The record of a run',
    description: `Its first ${MAX_EVENTS} events; next names the address of those behind them`,
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'cuebook://run/{run}/{after}',
    name: 'More of the record of a run',
    description: 'The events after a number',
    mimeType: 'application/json',
  },
];

/**
 * What clients may read: each target as `cuebook render` shows it, the texts that targets are made of and no other
 * file, and the records of runs as `cuebook log` shows them. What is confidential or private is masked in all of them.
 */
export function createResources(desk: McpDesk): McpResources {
  let found: Promise<Found> | undefined;
  const look = (): Promise<Found> => {
    found ??= lookAround(desk);
    return found;
  };
  return {
    templates: TEMPLATES,
    async list() {
      const { targets, files } = await look();
      return [
        ...targets.map((target) => addressed('render', target, 'application/json')),
        ...files.map((path) => addressed('text', path, 'text/plain')),
        ...(await runsOf(desk)).map((run) => addressed('run', run, 'application/json')),
      ];
    },
    async read(uri) {
      const [, kind, name, after] =
        /^cuebook:\/\/(render|text|run)\/([^/?#]+)(?:\/(\d{1,15}))?$/.exec(uri) ?? [];
      const plain = name === undefined ? undefined : decoded(name);
      if (plain === undefined || (after !== undefined && kind !== 'run')) return undefined;
      if (kind === 'run') return readRun(desk, plain, Number(after ?? 0));
      const { targets, files } = await look();
      if (kind === 'render') return targets.includes(plain) ? render(desk, plain) : undefined;
      return guard('mcp.text', !files.includes(plain)) ? undefined : readText(desk, plain);
    },
  };
}

interface Found {
  readonly targets: readonly string[];
  readonly files: readonly string[];
}

const addressed = (kind: 'render' | 'text' | 'run', name: string, mimeType: string): McpResource => ({
  uri: `cuebook://${kind}/${encodeURIComponent(name)}`,
  name,
  mimeType,
});

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // An address that nobody was given.
  }
}

/** The targets of the project, and the files that they are made of. */
async function lookAround({ bench }: McpDesk): Promise<Found> {
  const targets = await findTargets(bench);
  const files = new Set<string>();
  for (const text of targets) {
    const named = requireProfile(bench.profiles, text);
    if (!named.ok) continue;
    const loaded = await named.profile.load(watchedSource(bench.project).source, named.target.name);
    if (loaded.ok) for (const path of named.profile.files?.(loaded.value) ?? []) files.add(path);
  }
  return { targets, files: [...files].sort() };
}

async function render(desk: McpDesk, target: string): Promise<McpResourceAnswer> {
  const composer = runComposer(desk.bench);
  try {
    const composed = await composer.compose(target);
    if (!composed.ok) {
      const [first] = composed.diagnostics.filter(({ severity }) => severity === 'error');
      const { code = 'E_INTERNAL', message = 'It cannot be composed' } = first ?? {};
      return { ok: false, code, message: toClient(desk, message) };
    }
    const { prompt, tools, params, meta, diagnostics } = composed.value;
    const tokens = { total: 0, byBlock: {} };
    const profile = target.slice(0, target.indexOf(':'));
    const document = renderDocument({ profile, prompt, tools, params, meta, tokens, diagnostics });
    return json(desk, document);
  } finally {
    await composer.close();
  }
}

async function readText(desk: McpDesk, path: string): Promise<McpResourceAnswer> {
  const text = await desk.bench.files.readText(path, { limit: MAX_TEXT });
  if (!text.ok) return { ok: false, code: text.error.code, message: 'The text cannot be read' };
  return { ok: true, text: toClient(desk, text.value) };
}

const json = (desk: McpDesk, value: unknown): McpResourceAnswer => ({
  ok: true,
  mimeType: 'application/json',
  text: toClient(desk, JSON.stringify(value)),
});

/** The runs on record, the newest first. */
async function runsOf({ call: { flags, io } }: McpDesk): Promise<readonly string[]> {
  return withJournal(flags, io, async (journal) => {
    const views = journal === undefined ? [] : await viewRuns(journal.store);
    return [...views].sort((a, b) => b.lastAt - a.lastAt).map(({ run }) => run);
  });
}

async function readRun(desk: McpDesk, run: string, after: number): Promise<McpResourceAnswer | undefined> {
  const { flags, io } = desk.call;
  return withJournal(flags, io, async (journal) => {
    if (journal === undefined) return undefined;
    const { store } = journal;
    const view = (await viewRuns(store)).find((each) => each.run === run);
    if (view === undefined) return undefined;
    const masker = createMasker(await confidentialOfRun(store, view.run));
    const events: unknown[] = [];
    let last = after;
    let next: string | undefined;
    for await (const event of eventsOf(store, view.run, after)) {
      if (events.length === MAX_EVENTS) {
        next = `cuebook://run/${encodeURIComponent(run)}/${last}`;
        break;
      }
      events.push(shownEvent(event, masker));
      last = event.seq;
    }
    return json(desk, { run, events, ...(next === undefined ? {} : { next }) });
  });
}
