import {
  type AgentData,
  type Catalog,
  type DefinitionEntry,
  type HandedEnv,
  LAYERS,
  type PromptData,
  type ToolEntry,
} from '@cuebook/define';
import type { VariableVault } from '@cuebook/host';
import { agentOf } from '../run/definitions.js';
import type { EnvLayer, EnvValue } from '../run/env-value.js';
import type { Frame } from '../run/frame.js';
import { findFrame, type ThreadRunState } from '../run/state.js';

/** A variable as a function reads it. */
export interface OpenValue {
  readonly value: string;
  readonly type: 'text' | 'secret';
  /** A tool or a hook set it. */
  readonly by?: 'function';
}

type OpenLayer = Readonly<Record<string, OpenValue>>;

/** The environment of conversations, with secrets opened. It never leaves the process. */
export interface Environments {
  /** The three layers that do not stand in definitions. */
  handed(state: ThreadRunState, frame: Frame): HandedEnv;
  /** All variables that a function of a prompt may read, each from the layer that wins. */
  visible(state: ThreadRunState, frame: Frame, of: Reader): OpenLayer;
  /** The values that must not be told. */
  secrets(state: ThreadRunState): readonly string[];
  /** A value as the log may keep it. */
  keep(name: string, value: string, type?: 'text' | 'secret'): EnvValue;
}

export interface Reader {
  readonly prompt: DefinitionEntry<PromptData> | undefined;
  readonly agent: DefinitionEntry<AgentData> | undefined;
  readonly tool?: ToolEntry | undefined;
}

export function createEnvironments(catalog: Catalog, vault: VariableVault): Environments {
  const types = declaredTypes(catalog);
  const opened = new WeakMap<EnvLayer, OpenLayer>();
  const open = (layer: EnvLayer): OpenLayer => {
    const known = opened.get(layer);
    if (known !== undefined) return known;
    const values = Object.entries(layer).flatMap(([name, kept]) => {
      if (kept === null) return [];
      const value = kept.type === 'text' ? kept.value : vault.open(kept.sealed);
      const by = kept.by === undefined ? {} : { by: kept.by };
      return value === undefined ? [] : [[name, { value, type: kept.type, ...by }] as const];
    });
    const fresh = Object.fromEntries(values);
    opened.set(layer, fresh);
    return fresh;
  };
  const layersOf = (state: ThreadRunState, frame: Frame) => ({
    thread: threadLayer(catalog, state, frame, open),
    account: open(state.account),
    instance: open(state.instance),
  });
  const ofSource = (env: Readonly<Record<string, string>> | undefined): OpenLayer =>
    Object.fromEntries(
      Object.entries(env ?? {}).map(([name, value]) => [name, { value, type: types.get(name) ?? 'text' }]),
    );
  const inSource = secretsInSource(catalog, types);
  return {
    handed(state, frame) {
      const { thread, account, instance } = layersOf(state, frame);
      const computed = Object.keys(thread).filter((name) => thread[name]?.by === 'function');
      return {
        thread: valuesOf(thread),
        account: valuesOf(account),
        instance: valuesOf(instance),
        ...(computed.length === 0 ? {} : { computed }),
      };
    },
    visible(state, frame, { prompt, agent, tool }) {
      const layers = {
        ...layersOf(state, frame),
        agent: ofSource(agent?.data.env),
        tool: ofSource(tool?.env),
        prompt: ofSource(prompt?.data.env),
      };
      return Object.assign({}, ...LAYERS.toReversed().map((layer) => layers[layer]));
    },
    secrets(state) {
      const layers = [state.account, state.instance, ...Object.values(state.frames).map(({ env }) => env)];
      const values = layers.flatMap((layer) =>
        Object.entries(open(layer)).flatMap(([name, { value, type }]) => {
          const kept = layer[name];
          const isPlain = kept?.type === 'secret' && kept.plain === true;
          return type === 'secret' && !isPlain ? [value] : [];
        }),
      );
      return [...new Set([...values, ...inSource])].sort();
    },
    keep(name, value, type) {
      const declared = types.get(name);
      if (declared !== 'secret' && (type ?? declared) === 'text') return { type: 'text', value };
      const isPlain = declared === undefined && type === undefined && !looksSecret(value);
      return { type: 'secret', sealed: vault.seal(value), ...(isPlain ? { plain: true as const } : {}) };
    },
  };
}

const valuesOf = (layer: OpenLayer): Record<string, string> =>
  Object.fromEntries(Object.entries(layer).map(([name, { value }]) => [name, value]));

/** A thread has what its parents have, but for what it took away and what it declares as its own. */
function threadLayer(
  catalog: Catalog,
  state: ThreadRunState,
  frame: Frame,
  open: (layer: EnvLayer) => OpenLayer,
): OpenLayer {
  const parent = findFrame(state, frame.parent);
  const above = parent === undefined ? {} : threadLayer(catalog, state, parent, open);
  const hidden = new Set([
    ...(frame.kind === 'thread' && parent !== undefined ? scopedNames(catalog, frame) : []),
    ...Object.entries(frame.env).flatMap(([name, value]) => (value === null ? [name] : [])),
  ]);
  const inherited = Object.fromEntries(Object.entries(above).filter(([name]) => !hidden.has(name)));
  return { ...inherited, ...open(frame.env) };
}

/** The variables that an agent, its prompts or their tools declare as scoped. */
function scopedNames(catalog: Catalog, frame: Frame): readonly string[] {
  const agent = agentOf(catalog, frame)?.data;
  const prompts = [agent?.sideA.prompt, agent?.sideB?.prompt].flatMap(
    (name) => catalog.prompts.get(name ?? '')?.data ?? [],
  );
  const tools = prompts.flatMap(({ tools: listed }) =>
    listed.flatMap(({ name }) => catalog.tools.get(name)?.data ?? []),
  );
  return [agent?.variables ?? [], ...[...prompts, ...tools].map(({ variables }) => variables)]
    .flat()
    .flatMap(({ name, scoped }) => (scoped === true ? [name] : []));
}

/** Whoever calls a variable a secret is believed, whatever others call it. */
function declaredTypes(catalog: Catalog): ReadonlyMap<string, 'text' | 'secret'> {
  const types = new Map<string, 'text' | 'secret'>();
  for (const entries of [catalog.prompts, catalog.tools, catalog.agents])
    for (const { data } of entries.values())
      for (const { name, type } of data.variables) if (types.get(name) !== 'secret') types.set(name, type);
  return types;
}

/** Values that definitions give to secret variables. `check` warns of them; they are masked all the same. */
function secretsInSource(catalog: Catalog, types: ReadonlyMap<string, string>): readonly string[] {
  const envs = [
    ...[...catalog.agents.values()].map(({ data }) => data.env),
    ...[...catalog.prompts.values()].flatMap(({ data }) => [
      data.env,
      ...data.tools.map(({ env = {} }) => env),
    ]),
  ];
  return envs.flatMap((env) =>
    Object.entries(env).flatMap(([name, value]) => (types.get(name) === 'secret' ? [value] : [])),
  );
}

/** What nobody declares may be a setting: an ordinary word is not looked for in every text. */
const looksSecret = (value: string): boolean => value.length >= 8 && /[^A-Za-z\s]/.test(value);
