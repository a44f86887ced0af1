import type { TextSource } from '@cuebook/files';
import type { Composed, ComposeHow, Loaded, Profile, SourceText } from '@cuebook/profile';
import { type Diagnostic, type Labels, nearest, type Origin, type Piece } from '@cuebook/prompt';
import { commandLine } from '@cuebook/prompt/hint';
import { z } from 'zod';
import { basePromptPieces } from './card/base-prompt.js';
import { type CardFile, type CardFiles, findCardNames, loadCards, SAMPLE_CARD } from './card/files.js';
import { promptView, viewPieces } from './card/view.js';
import { type CardWords, wordsInYaml, wordsOf } from './card/words.js';
import { composeScenario } from './scenario/compose.js';
import { contractOf, judgeScenario } from './scenario/contract.js';
import { describeFill } from './scenario/describe.js';
import { findScenarioNames, loadScenario, type ScenarioFile } from './scenario/files.js';
import { SCENARIOS, SHIPPED_VERSIONS } from './scenario/library/library.js';
import { callParams, paramSources } from './scenario/params.js';
import type { Scenario } from './scenario/scenario.js';
import { TEXTS } from './shipped-texts.js';

/** A scenario and the cards of the project. */
export interface ScenarioSource {
  readonly scenario: Scenario;
  /** Where the project writes it itself. */
  readonly own?: ScenarioFile;
  readonly cards: CardFiles;
}

const input = z.object({
  set: z
    .record(z.string(), z.string())
    .default({})
    .describe('An input: NAME=VALUE, NAME=@FILE, or NAME=@- for standard input'),
  card: z.string().optional().describe('The card of the agent: NAME of cards/NAME.yaml'),
  to: z.string().optional().describe('The card of the agent that is addressed'),
});

/** Versions that a library lists, beside those that are shipped. */
export type LibraryVersions = () => Promise<readonly Scenario[]>;

/**
 * Scenarios of certified bundles: `scenario:greeting`, or one version of the library: `scenario:greeting#2`. The words
 * of the agent come from its card, as the platform would publish it; what an agent is really sent comes from its
 * verified bundle.
 */
export const scenarioProfileOf = (
  versions: LibraryVersions = async () => SHIPPED_VERSIONS,
): Profile<ScenarioSource, typeof input> => ({
  prefix: 'scenario',
  summary: 'a behaviour of an agent with a card (cards/NAME.yaml): greeting, reply, intro and others',
  examples: [commandLine`render scenario:greeting`],
  input,
  find: async (project) => {
    const shipped = (await findCardNames(project)).length > 0 ? SCENARIOS.keys() : [];
    return [...new Set([...shipped, ...(await findScenarioNames(project))])].sort();
  },
  problems: async (project) =>
    [...(await loadCards(project)).values()].flatMap((card) => (card.ok ? [] : card.diagnostics)),
  load: (project, name) => load(project, name, versions),
  files: ({ own, cards }) => [
    ...(own === undefined ? [] : [own.file]),
    ...[...cards.values()].flatMap((card) => (card.ok ? [card.value.place.ref] : [])),
  ],
  texts: ({ own, cards }) => [
    ...(own?.words === undefined ? [] : [{ pieces: own.words, mayHoldPlaceholders: true }]),
    ...[...cards.values()].flatMap((card) => (card.ok ? textsOfCard(card.value) : [])),
  ],
  check: ({ scenario, cards }) => (cards.size > 0 || scenario.side === 'platform' ? [] : [SAMPLE_STANDS_IN]),
  sample: ({ scenario, cards }) => ({
    set: Object.fromEntries(
      scenario.placeholders
        .filter(({ name }) => name !== 'self_prompt_view')
        .map(({ name, example }) => [name, example]),
    ),
    card: [...cards].find(([, card]) => card.ok)?.[0],
    to: undefined,
  }),
  compose,
  judge: async () => judgeScenario,
});

export const scenarioProfile = scenarioProfileOf();

async function load(
  project: TextSource,
  name: string,
  versions: LibraryVersions,
): Promise<Loaded<ScenarioSource>> {
  const [, id, version] = /^(.+)#([1-9]\d{0,8})$/.exec(name) ?? [];
  if (id !== undefined) return loadVersion(project, { id, version: Number(version) }, await versions());
  const own = await loadScenario(project, name);
  if (own !== undefined && !own.ok) return own;
  const scenario = own?.value.scenario ?? SCENARIOS.get(name);
  if (scenario !== undefined) {
    const cards = await loadCards(project);
    return {
      ok: true,
      value: { scenario, cards, ...(own === undefined ? {} : { own: own.value }) },
      diagnostics: [],
    };
  }
  const known = [...SCENARIOS.keys(), ...(await findScenarioNames(project))];
  const meant = nearest(name, known);
  const hint = meant === undefined ? `There are: ${known.join(', ')}` : `Did you mean scenario:${meant}?`;
  const message = `No scenario is called "${name}". ${hint}`;
  return { ok: false, diagnostics: [{ code: 'E_TARGET', severity: 'error', message }] };
}

/** A version of the library: what the project writes itself has no number, and is left out. */
async function loadVersion(
  project: TextSource,
  { id, version }: { readonly id: string; readonly version: number },
  library: readonly Scenario[],
): Promise<Loaded<ScenarioSource>> {
  const own = library.filter((scenario) => scenario.id === id);
  const scenario = own.find((each) => each.version === version);
  if (scenario !== undefined)
    return { ok: true, value: { scenario, cards: await loadCards(project) }, diagnostics: [] };
  const known = own.map((each) => `${id}#${each.version}`).sort();
  const hint =
    known.length === 0 ? `No scenario of the library is called "${id}"` : `There are: ${known.join(', ')}`;
  const message = `The library has no "${id}#${version}". ${hint}`;
  return { ok: false, diagnostics: [{ code: 'E_TARGET', severity: 'error', message }] };
}

function compose(
  source: ScenarioSource,
  { set, card, to }: z.infer<typeof input>,
  { isSample = false }: ComposeHow = {},
): Composed {
  const { scenario, own, cards } = source;
  const isPlatform = scenario.side === 'platform';
  // The platform speaks for itself: no card is needed, however many there are.
  const self: Chosen = isPlatform ? { ok: true, value: SAMPLE_CARD } : chooseCard(cards, card, 'card');
  if (!self.ok) return self;
  const other = to === undefined ? undefined : chooseCard(cards, to, 'to');
  if (other !== undefined && !other.ok) return other;
  const views = [
    ...view('self_prompt_view', self.value),
    ...view('target_agent_prompt_view', other?.value),
  ].filter(({ name }) => scenario.placeholders.some((placeholder) => placeholder.name === name));
  const failed = views.flatMap(({ problem }) => problem ?? []);
  if (failed.length > 0) return { ok: false, diagnostics: failed };
  const values = { ...Object.fromEntries(views.map(({ name, text }) => [name, text])), ...set };
  const filled = composeScenario({
    scenario,
    words: own?.words,
    base: isPlatform ? undefined : basePromptPieces(self.value.draft, wordsOfFile(self.value)),
    values,
    origins: {
      ...Object.fromEntries(views.map(({ name, pieces }) => [name, pieces])),
      ...Object.fromEntries(
        Object.entries(set).map(([name, text]) => [name, givenOrigin(name, text, isSample)]),
      ),
    },
  });
  if (!filled.ok) return { ok: false, diagnostics: describeFill(filled.error, scenario) };
  const params = callParams(scenario.preset);
  const contract = contractOf(scenario, values, self.value.draft);
  const sources = paramSources(scenario);
  return {
    ok: true,
    value: { blocks: filled.value, tools: [], params, sources, capabilities: [], contract },
  };
}

/** Where a value comes from: an example of ours, or who handed it in. */
const givenOrigin = (name: string, text: string, isSample: boolean): Origin =>
  (isSample ? TEXTS.find('examples.md', text)?.origin : undefined) ?? { kind: 'input', ref: name };

type Chosen =
  | { readonly ok: true; readonly value: CardFile }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** The card that is named, the only one, or the sample. Of several, one must be named. */
function chooseCard(cards: CardFiles, name: string | undefined, flag: string): Chosen {
  if (name === undefined && cards.size === 0) return { ok: true, value: SAMPLE_CARD };
  const names = [...cards.keys()];
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  const card = chosen === undefined ? undefined : cards.get(chosen);
  if (card !== undefined) return card;
  const meant = chosen === undefined ? undefined : nearest(chosen, names);
  const message =
    chosen === undefined
      ? `Several cards are here. Name one with --${flag}: ${names.slice(0, 20).join(', ')}`
      : `No card is called "${chosen}". ${meant === undefined ? `Write it in cards/${chosen}.yaml` : `Did you mean "${meant}"?`}`;
  return { ok: false, diagnostics: [{ code: 'E_INPUT', severity: 'error', message }] };
}

interface View {
  readonly name: string;
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly problem?: Diagnostic;
}

function view(name: string, card: CardFile | undefined): readonly View[] {
  if (card === undefined) return [];
  const made = promptView(card.draft);
  if (made.ok) return [{ name, text: made.value, pieces: viewPieces(card.draft, wordsOfFile(card)) }];
  const { length, limit } = made.error;
  const message = `The view of ${card.place.ref} has ${length} characters, ${limit} at most. Shorten it by ${length - limit}`;
  return [
    {
      name,
      text: '',
      pieces: [],
      problem: { code: 'E_CARD_VIEW', severity: 'error', message, file: card.place.ref },
    },
  ];
}

const wordsOfFile = ({ yaml, place }: CardFile): CardWords =>
  yaml === undefined ? wordsOf(place.ref) : wordsInYaml(yaml);

/** The words of a card: all of it is told, in one form or another. */
function textsOfCard({ draft, yaml }: CardFile): readonly SourceText[] {
  if (yaml === undefined) return [];
  const walk = (part: unknown, path: readonly PropertyKey[]): readonly SourceText[] => {
    if (typeof part === 'string') return [{ pieces: yaml.pieces(path, CARD_LABELS), fix: CARD_FIX }];
    if (typeof part !== 'object' || part === null) return [];
    return Object.entries(part).flatMap(([key, below]) =>
      walk(below, [...path, Array.isArray(part) ? Number(key) : key]),
    );
  };
  return walk(draft, []);
}

const CARD_LABELS: Labels = { trust: 'author', secrecy: 'public', volatility: 'build' };
const CARD_FIX = 'Nothing is filled in here: write the words themselves';

const SAMPLE_STANDS_IN: Diagnostic = {
  code: 'W_SCENARIO_SAMPLE',
  severity: 'warning',
  message: 'The project has no card; the sample card stands in. Write one in cards/NAME.yaml',
};
