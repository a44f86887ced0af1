import type { Block, ToolCall } from '../block.js';
import type { JsonValue } from '../redact/leak-context.js';
import { mapStrings } from '../redact/value.js';
import type { GatedRequest, OfferedTool } from '../request.js';

/** What a run of a body was made of: a part of the request, by its place in it. */
export type WireSource =
  | { readonly kind: 'text'; readonly block: number }
  | { readonly kind: 'media'; readonly block: number; readonly index: number }
  | {
      readonly kind: 'call';
      readonly block: number;
      readonly index: number;
      readonly field: 'id' | 'name' | 'args';
    }
  /** `pointer` is a JSON pointer into the tool; `isKey`: the key of what it leads to, not the value. */
  | { readonly kind: 'tool'; readonly index: number; readonly pointer: string; readonly isKey?: true }
  /** `pointer` is a JSON pointer into the value, where it has parts. */
  | { readonly kind: 'param'; readonly name: string; readonly pointer?: string };

/** A mark that stands in a marked request. */
export interface WireMark {
  readonly source: WireSource;
  /** What the request has there. */
  readonly text: string;
  /** Where the mark stands: behind the text, before it, or in its place. */
  readonly place: 'behind' | 'before' | 'instead';
}

/** A request whose every text carries a mark. It is for a serialiser whose answer is looked at, and is never sent. */
export interface MarkedRequest {
  readonly request: GatedRequest;
  readonly marks: ReadonlyMap<string, WireMark>;
  readonly pattern: RegExp;
}

/**
 * Marks every text of a request. A serialiser that is given the marked request writes the marks where the texts go,
 * whatever it puts around them, so nothing has to be known of its format. Blank texts stay as they are: what vendors
 * leave out, they leave out of both. Names and ids are replaced, so that rules for them hold; the marks are made of
 * letters and digits and read the same in every escape.
 */
export function markRequest(request: GatedRequest): MarkedRequest {
  const nonce = freshNonce(request);
  const marks = new Map<string, WireMark>();
  const add = (mark: WireMark): string => {
    const name = `${nonce}${String(marks.size).padStart(6, '0')}zq`;
    marks.set(name, mark);
    return name;
  };
  const behind = (text: string, source: WireSource): string =>
    text.trim() === '' ? text : text + add({ source, text, place: 'behind' });
  const ids = new Map<string, string>();
  const idOf = (id: string, source: WireSource): string => {
    const known = ids.get(id) ?? add({ source, text: id, place: 'instead' });
    ids.set(id, known);
    return known;
  };
  const markCall = ({ id, name, args }: ToolCall, block: number, index: number): ToolCall => ({
    id: idOf(id, { kind: 'call', block, index, field: 'id' }),
    name: add({ source: { kind: 'call', block, index, field: 'name' }, text: name, place: 'instead' }),
    args,
  });
  const markBlock = (block: Block, at: number): Block => ({
    ...block,
    text: behind(block.text, { kind: 'text', block: at }),
    ...(block.calls && { calls: block.calls.map((call, index) => markCall(call, at, index)) }),
    ...(block.callId !== undefined && {
      callId: idOf(block.callId, { kind: 'text', block: at }),
    }),
    ...(block.media && {
      media: block.media.map(({ type, data }, index) => {
        const source = { kind: 'media', block: at, index } as const;
        return { type, data: add({ source, text: data, place: 'before' }) + data };
      }),
    }),
  });
  const markTool = ({ name, description, parameters, ...rest }: OfferedTool, index: number): OfferedTool => ({
    ...rest,
    name: add({ source: { kind: 'tool', index, pointer: '/name' }, text: name, place: 'instead' }),
    ...(description !== undefined && {
      description: behind(description, { kind: 'tool', index, pointer: '/description' }),
    }),
    ...(parameters !== undefined && { parameters }),
  });
  const blocks = request.prompt.blocks.map(markBlock);
  const tools = request.tools.map(markTool);
  const named = new Map(request.tools.map(({ name }, index) => [name, tools[index]?.name ?? name]));
  return {
    request: {
      ...request,
      prompt: { ...request.prompt, blocks },
      tools,
      params: renameChoice(request.params, named),
    },
    marks,
    pattern: new RegExp(`${nonce}\\d{6}zq`, 'g'),
  };
}

/** The tool that must be called is told by its name, which is marked. */
function renameChoice(
  params: GatedRequest['params'],
  named: ReadonlyMap<string, string>,
): GatedRequest['params'] {
  const { toolChoice } = params;
  if (typeof toolChoice !== 'object' || toolChoice === null || !('tool' in toolChoice)) return params;
  return {
    ...params,
    toolChoice: { ...toolChoice, tool: named.get(String(toolChoice.tool)) ?? toolChoice.tool },
  };
}

/** Letters that the request holds nowhere, in no key and in no spelling. Marks of them are whole groups of base64. */
function freshNonce({ prompt, tools, params }: GatedRequest): string {
  const held: string[] = [];
  const look = (value: unknown): void =>
    void mapStrings(JSON.parse(JSON.stringify(value ?? null)) as JsonValue, (text) => {
      held.push(text);
      return text;
    });
  look([tools, params]);
  for (const { text, calls, callId, media } of prompt.blocks) {
    held.push(text);
    look([calls, callId, media]);
  }
  for (let count = 0; ; count += 1) {
    const nonce = `Qz${count.toString(36).padStart(6, 'x')}`;
    if (!held.some((text) => text.includes(nonce))) return nonce;
  }
}
