import { guarded } from '@cuebook/guard';
import {
  type GatedRequest,
  neutralBody,
  type OfferedTool,
  type Redactor,
  safeJson,
  showInvisible,
} from '@cuebook/prompt';

/**
 * Text that somebody of low trust wrote, made fit to be said in mid-turn: private things taken out, invisible
 * characters shown, chat-template tokens broken, lines that read as structure escaped. JSON stays JSON. Cleaning twice
 * is cleaning once.
 */
export function cleanText(text: string, redactor: Redactor): string {
  const redact = (words: string): string => redactor.redactText(words).text;
  return guarded(
    'turn.clean',
    (words) => {
      const clean = redact(words.toWellFormed());
      const shown = safeJson(clean) === undefined ? showInvisible(clean) : clean;
      return neutralBody(shown === clean ? clean : redact(shown));
    },
    text,
  );
}

/**
 * The same request with tools whose words cannot be read as structure. Descriptions come from whoever wrote the
 * tool, an MCP server of strangers included. Names, patterns and values of one line keep their bytes: they
 * stand in JSON and nowhere else.
 */
export function neutralRequest(request: GatedRequest): GatedRequest {
  return { ...request, tools: guarded('turn.neutral', (tools) => tools.map(neutralTool), request.tools) };
}

function neutralTool({ name, description, parameters }: OfferedTool): OfferedTool {
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

const hasBreak = (text: string): boolean => /[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/.test(text);

const neutralProse = (text: string): string => neutralBody(text.toWellFormed());
