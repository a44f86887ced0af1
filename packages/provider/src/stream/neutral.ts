import {
  escapeBody,
  findInvisible,
  type GatedRequest,
  type Redactor,
  type ToolDefinition,
} from '@cuebook/prompt';
import { guard } from '../guard.js';

/**
 * Text that somebody of low trust wrote, made fit to be said in mid-turn: invisible characters shown, private
 * things taken out, lines that read as structure escaped. Cleaning twice is cleaning once.
 */
export function cleanText(text: string, redactor: Redactor): string {
  if (!guard('turn.clean', true)) return text;
  const shown = showInvisible(text.toWellFormed());
  return escapeStructure(redactor.redactText(shown).text);
}

/**
 * Lines that read as structure get one leading backslash; escaped ones are left alone, so doing it twice
 * changes nothing.
 */
function escapeStructure(text: string): string {
  if (escapeBody(text) === text) return text;
  const escapeLine = (line: string) => (line.startsWith('\\') ? line : escapeBody(`x\n${line}`).slice(2));
  const parts = text.split(/(\r\n|[\n\r\v\f\u0085\u2028\u2029])/);
  return parts.map((part, index) => (index % 2 === 0 ? escapeLine(part) : part)).join('');
}

/**
 * The same request with tools whose words cannot be read as structure. Descriptions come from whoever wrote the
 * tool, an MCP server of strangers included. Names, patterns and values of one line keep their bytes: they
 * stand in JSON and nowhere else.
 */
export function neutralRequest(request: GatedRequest): GatedRequest {
  if (!guard('turn.neutral', true)) return request;
  return { ...request, tools: request.tools.map(neutralTool) };
}

function neutralTool({ name, description, parameters }: ToolDefinition): ToolDefinition {
  return {
    name,
    ...(description === undefined ? {} : { description: neutralProse(description) }),
    ...(parameters === undefined ? {} : { parameters: neutralValue(parameters, false) as typeof parameters }),
  };
}

function neutralValue(value: unknown, isProse: boolean): unknown {
  if (typeof value === 'string') return isProse || hasBreak(value) ? neutralProse(value) : value;
  if (Array.isArray(value)) return value.map((item) => neutralValue(item, false));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      hasBreak(key) ? neutralProse(key) : key,
      neutralValue(item, PROSE_KEYS.has(key)),
    ]),
  );
}

const PROSE_KEYS = new Set(['description', 'title', '$comment']);

const hasBreak = (text: string): boolean => /[\n\r\v\f\u0085\u2028\u2029]/.test(text);

const neutralProse = (text: string): string => escapeStructure(showInvisible(text.toWellFormed()));

function showInvisible(text: string): string {
  let out = '';
  let from = 0;
  for (const { start, end, text: shown } of findInvisible(text)) {
    out += text.slice(from, start) + shown;
    from = end;
  }
  return out + text.slice(from);
}
