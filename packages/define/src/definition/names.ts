/**
 * The names of a project, for types that know them. Empty as it ships, and then every string is a name. A
 * project adds its own:
 *
 *     declare module '@cuebook/define' {
 *       interface Names { tool: 'search_docs'; model: 'conversational' }
 *     }
 *
 * From then on a wrong name is a type error.
 */
// biome-ignore lint/suspicious/noEmptyInterface: projects add to it by declaration merging
export interface Names {}

type Named<Kind extends string> =
  Names extends Readonly<Record<Kind, infer Name extends string>> ? Name : string;

export type PromptName = Named<'prompt'>;
export type ModelName = Named<'model'>;
export type HookName = Named<'hook'>;
export type AgentName = Named<'agent'>;
/** What may stand in `tools`: a function tool, a sub-prompt, an agent, or an MCP server or a tool of it. */
export type CallableName = Names extends { readonly tool: string }
  ? Named<'tool'> | CalledPrompt | CalledAgent | `mcp.${string}`
  : string;

type CalledPrompt = Names extends { readonly prompt: infer Name extends string } ? Name : never;
type CalledAgent = Names extends { readonly agent: infer Name extends string } ? Name : never;
