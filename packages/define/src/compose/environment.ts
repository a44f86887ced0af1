import type { Labels, Piece, Place } from '@cuebook/prompt';
import type { Env } from '../definition/variable.js';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import type { AgentData } from '../shape/other-shapes.js';
import type { PromptData, ToolEntry } from '../shape/prompt-shape.js';
import type { VariableData } from '../shape/values.js';
import type { SourceFile } from '../source/source-file.js';
import { findCallable } from './callable.js';

/** The layers that a variable's value may come from, the first that has one wins. */
export const LAYERS = ['thread', 'account', 'instance', 'agent', 'tool', 'prompt'] as const;
export type Layer = (typeof LAYERS)[number];

/** The values that do not stand in definitions. */
export interface HandedEnv {
  readonly thread?: Env;
  readonly account?: Env;
  readonly instance?: Env;
  /** Names of the thread's values that a tool or a hook has set: what it read may be anybody's. */
  readonly computed?: readonly string[];
}

/** A value and the layer that it comes from. */
export interface ResolvedValue {
  readonly value: string;
  readonly layer: Layer;
  /** Where a definition gives it, and its words there. */
  readonly at?: Place;
  readonly pieces?: (labels: Labels) => readonly Piece[];
  /** A tool or a hook set it. */
  readonly isComputed?: boolean;
}

/** Which layer won for one variable. The value itself is never told. */
export interface VariableTrace {
  readonly name: string;
  /** The tool that the variable is for, when it is a tool's. */
  readonly tool?: string;
  readonly type: 'text' | 'secret' | 'undeclared';
  readonly required: boolean;
  /** Null when no layer has a value. */
  readonly layer: Layer | null;
  /** Where a definition gives the value, as `file:line:column`. */
  readonly at?: string;
}

export interface Environment {
  /** The value of a variable, as a tool of the prompt sees it when one is given. */
  readonly resolve: (name: string, tool?: ToolEntry) => ResolvedValue | undefined;
  readonly trace: () => readonly VariableTrace[];
}

export interface EnvironmentInput {
  readonly catalog: Catalog;
  readonly prompt: DefinitionEntry<PromptData>;
  readonly agent?: DefinitionEntry<AgentData> | undefined;
  readonly handed: HandedEnv;
}

/** The environment of one step: the six layers and who wins. Pure. */
export function environmentOf({ catalog, prompt, agent, handed }: EnvironmentInput): Environment {
  const resolve: Environment['resolve'] = (name, tool) => {
    const index = tool === undefined ? -1 : prompt.data.tools.indexOf(tool);
    const layers: Readonly<Record<Layer, LayerValues>> = {
      thread: { env: handed.thread },
      account: { env: handed.account },
      instance: { env: handed.instance },
      agent: { env: agent?.data.env, source: agent?.source, path: ['env', name] },
      tool: { env: tool?.env, source: prompt.source, path: ['tools', index, 'env', name] },
      prompt: { env: prompt.data.env, source: prompt.source, path: ['env', name] },
    };
    for (const layer of LAYERS) {
      const { env, source, path = [] } = layers[layer];
      if (env === undefined || !Object.hasOwn(env, name)) continue;
      const isComputed = layer === 'thread' && handed.computed?.includes(name) === true;
      const value = env[name] as string;
      return {
        value,
        layer,
        ...(source === undefined
          ? {}
          : { at: source.place(path), pieces: (labels) => source.pieces(path, value, labels) }),
        ...(isComputed ? { isComputed } : {}),
      };
    }
    return undefined;
  };
  return { resolve, trace: () => traceOf({ catalog, prompt, agent, handed }, resolve) };
}

interface LayerValues {
  readonly env: Env | undefined;
  /** The definition that gives them, and where in it this one stands. */
  readonly source?: SourceFile | undefined;
  readonly path?: readonly PropertyKey[];
}

/** Who could have written a value of each layer, and how often it changes. */
export const LAYER_LABELS: Readonly<Record<Layer, Pick<Labels, 'trust' | 'volatility'>>> = {
  thread: { trust: 'user', volatility: 'session' },
  account: { trust: 'user', volatility: 'session' },
  instance: { trust: 'operator', volatility: 'deploy' },
  agent: { trust: 'author', volatility: 'build' },
  tool: { trust: 'author', volatility: 'build' },
  prompt: { trust: 'author', volatility: 'build' },
};

function traceOf(
  { catalog, prompt, agent }: EnvironmentInput,
  resolve: Environment['resolve'],
): readonly VariableTrace[] {
  const row = (name: string, declared: VariableData | undefined, tool?: ToolEntry): VariableTrace => {
    const won = resolve(name, tool);
    const { ref, line, column } = won?.at ?? {};
    return {
      name,
      ...(tool === undefined ? {} : { tool: tool.name }),
      type: declared?.type ?? 'undeclared',
      required: declared?.required ?? false,
      layer: won?.layer ?? null,
      ...(ref === undefined ? {} : { at: `${ref}:${line}:${column}` }),
    };
  };
  const declared = new Map<string, VariableData>();
  for (const variable of [...(agent?.data.variables ?? []), ...prompt.data.variables])
    declared.set(variable.name, variable);
  const names = [...declared.keys(), ...Object.keys(agent?.data.env ?? {}), ...Object.keys(prompt.data.env)];
  const own = [...new Set(names)].map((name) => row(name, declared.get(name)));
  const ofTools = prompt.data.tools.flatMap((tool) => {
    const callable = findCallable(catalog, tool.name);
    const variables = callable?.kind === 'tool' ? callable.entry.data.variables : [];
    const wanted = new Set([...variables.map(({ name }) => name), ...Object.keys(tool.env ?? {})]);
    return [...wanted].map((name) =>
      row(
        name,
        variables.find((each) => each.name === name),
        tool,
      ),
    );
  });
  return [...own, ...ofTools];
}
