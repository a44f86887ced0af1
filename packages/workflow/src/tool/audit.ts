import { createHash } from 'node:crypto';
import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { asJson } from '@cuebook/journal/json';
import type { JsonValue, Redactor } from '@cuebook/prompt';
import type { WorkflowToolResult } from './result.js';

/** One line of the audit: a call, whatever became of it. */
export interface AuditedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly agentId: string;
  readonly input: JsonValue;
  readonly output: WorkflowToolResult;
  readonly startedAt: number;
  readonly durationMs: number;
}

/** The audit of a run: `@state/logs/execution.jsonl`. Tools can read it; only this writes it. */
export interface Audit {
  /** Adds a line, durably, once for each call; false when the disk refused. Lines of one audit keep their order. */
  add(entry: AuditedCall): Promise<boolean>;
}

const FILE = 'logs/execution.jsonl';
/** In characters. A full file is set aside under the next number, so that adding a line stays cheap. */
const MAX_FILE = 256 * 1024;
const MAX_TEXT = 200;

export interface AuditInput {
  /** The folder of the state, whole. */
  readonly keeper: Files;
  readonly redactor?: Redactor | undefined;
}

export function openAudit({ keeper, redactor }: AuditInput): Audit {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    add(entry) {
      const done = turn.then(() => addLine(keeper, lineOf(entry, redactor), entry.toolCallId));
      turn = done;
      return done;
    },
  };
}

async function addLine(keeper: Files, line: string, call: string): Promise<boolean> {
  const found = await keeper.readDocument(FILE, { limit: 2 * MAX_FILE });
  if (!found.ok && found.error.code !== 'E_FILE_NOT_FOUND') return false;
  const old = found.ok ? found.value.text : '';
  // A call that is looked at again after a crash has its line.
  if (guard('audit.once', old.includes(`"toolCallId":${JSON.stringify(call)},`))) return true;
  if (old.length + line.length <= MAX_FILE) {
    return (await keeper.writeText(FILE, old + line, { mode: 0o600 })).ok;
  }
  const aside = await setAside(keeper, old);
  return aside && (await keeper.writeText(FILE, line, { mode: 0o600 })).ok;
}

async function setAside(keeper: Files, text: string): Promise<boolean> {
  for (let number = 1; number < 10_000; number += 1) {
    const name = `logs/execution-${String(number).padStart(4, '0')}.jsonl`;
    const kept = await keeper.writeText(name, text, { ifMatch: 'absent', mode: 0o600 });
    if (kept.ok) return true;
    if (kept.error.code !== 'E_FILE_CHANGED') return false;
  }
  return false;
}

function lineOf(
  { startedAt, durationMs, input, output, ...call }: AuditedCall,
  redactor: Redactor | undefined,
): string {
  const entry = {
    ts: new Date(startedAt).toISOString(),
    kind: 'tool.exec',
    ...call,
    input: brief(input),
    output: brief(asJson(output)),
    durationMs,
  };
  const clean = redactor === undefined ? entry : redactor.redactValue(asJson(entry)).value;
  return `${JSON.stringify(clean)}\n`;
}

/** Contents are told by size and hash: the audit says what was done, not what was in it. */
function brief(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    if (!guard('audit.content', value.length > MAX_TEXT)) return value;
    return { bytes: Buffer.byteLength(value), sha256: createHash('sha256').update(value).digest('hex') };
  }
  if (Array.isArray(value)) return value.length > 20 ? { items: value.length } : value.map(brief);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, brief(each)]));
}
