import type { Diagnostic, OfferedTool } from '@cuebook/prompt';
import type { AgentData, HookData, ModelData, ToolData } from '../shape/other-shapes.js';
import type { PromptData } from '../shape/prompt-shape.js';
import type { SourceFile } from '../source/source-file.js';
import type { DefinitionKind } from './files.js';

/** A definition that has its shape, and where it is written. */
export interface DefinitionEntry<Data> {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly data: Data;
  readonly source: SourceFile;
}

/** What each kind of definition is as data. */
export interface DataOf {
  readonly model: ModelData;
  readonly prompt: PromptData;
  readonly tool: ToolData;
  readonly hook: HookData;
  readonly agent: AgentData;
}

/** All definitions of a project by kind and name, and what is wrong with its files. Plain data: nothing runs. */
export interface Catalog {
  readonly models: ReadonlyMap<string, DefinitionEntry<ModelData>>;
  readonly prompts: ReadonlyMap<string, DefinitionEntry<PromptData>>;
  readonly tools: ReadonlyMap<string, DefinitionEntry<ToolData>>;
  readonly hooks: ReadonlyMap<string, DefinitionEntry<HookData>>;
  readonly agents: ReadonlyMap<string, DefinitionEntry<AgentData>>;
  /** Files that hold no definition that fits, by kind and the name that they would likely have. */
  readonly broken: ReadonlyMap<DefinitionKind, ReadonlyMap<string, string>>;
  readonly sketches: Sketches;
  readonly diagnostics: readonly Diagnostic[];
  /** MCP servers whose tools prompts may list; left out: nobody has looked. */
  readonly servers?: CatalogServers;
}

/** The MCP servers of a project. They are named in its configuration, and their tools are strangers' words. */
export interface CatalogServers {
  /** Every server that the operator names. */
  readonly names: readonly string[];
  /** Those of them that were asked for their tools, and answered. */
  readonly asked: readonly string[];
  /** Under the names that models are told: `mcp.SERVER.TOOL`. */
  readonly tools: readonly (OfferedTool & {
    readonly server: string;
    /** Its server says that calling it twice is calling it once. */
    readonly repeats?: true;
  })[];
  /** What is wrong with the configuration, or with a server that was asked. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Definitions that do not fit, or whose name another one has, as far as they fit: only for a look that goes on. Fields
 * may be missing and lists may have holes, which `forEach`, `map` and `flatMap` pass over.
 */
export interface Sketches {
  readonly models: readonly DefinitionEntry<ModelData>[];
  readonly prompts: readonly DefinitionEntry<PromptData>[];
  readonly tools: readonly DefinitionEntry<ToolData>[];
  readonly agents: readonly DefinitionEntry<AgentData>[];
}

/** The definitions of one kind. */
export const definitionsOf = <K extends DefinitionKind>(
  catalog: Catalog,
  kind: K,
): ReadonlyMap<string, DefinitionEntry<DataOf[K]>> =>
  catalog[`${kind}s`] as unknown as ReadonlyMap<string, DefinitionEntry<DataOf[K]>>;
