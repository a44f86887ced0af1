import { type Diagnostic, fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import { type ModelLane, modelLane } from './odds/schema.js';

/** What the rehearsal says, lane by lane. A lane is named by a node alias, a model, a scenario, or `*`. */
export interface Script {
  readonly lanes: Readonly<Record<string, readonly LaneStep[]>>;
  /** Lanes that answer by odds, turn after turn, in place of steps. */
  readonly models?: Readonly<Record<string, ModelLane>>;
}

/** One turn. What is left out does not happen; the order is that of the fields below. */
export interface ScriptStep {
  readonly delayMs?: number | undefined;
  readonly reasoning?: string | undefined;
  readonly text?: string | undefined;
  readonly edits?: readonly Edit[] | undefined;
  /** Said when all edits are made. */
  readonly then?: string | undefined;
  /** Said in its place when a person denied an edit; the edits behind that one and the calls are then not made. */
  readonly denied?: string | undefined;
  readonly toolCalls?: readonly ScriptedCall[] | undefined;
  /** Ends the turn as an HTTP answer of this status would; what was said before it stays. */
  readonly error?: { readonly status: number; readonly message?: string | undefined } | undefined;
}

/** A step that is played in place of its own when the session was told these words in this turn. */
export interface Instead extends ScriptStep {
  readonly heard: string;
}

/** A step of a lane. */
export interface LaneStep extends ScriptStep {
  /** The first that fits is played. */
  readonly instead?: readonly Instead[] | undefined;
}

/** A file that the rehearsal writes, relative to the session's folder. */
export interface Edit {
  readonly path: string;
  readonly content: string;
}

export interface ScriptedCall {
  /** Made up from lane, step and place when left out: the same on each run. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: JsonValue;
}

/** The lane for whoever has none of their own. */
export const ANY_LANE = '*';

/** In bytes. A longer script is not read. */
export const MAX_SCRIPT_BYTES = 4 * 1024 * 1024;

/** Reads YAML or JSON; every problem at once, each with its line. `file` is how the problems name it. */
export function readScript(text: string, file: string): Result<Script, readonly Diagnostic[]> {
  const yaml = readYaml(file, text, 'E_SCRIPT', { maxBytes: MAX_SCRIPT_BYTES });
  const read = yaml.ok ? readShape(yaml.value, schema, 'E_SCRIPT') : yaml;
  return read.ok ? ok(scriptOf(read.value.lanes)) : fail(read.diagnostics);
}

/** Lanes of steps and lanes with odds, apart. */
function scriptOf(lanes: Readonly<Record<string, readonly LaneStep[] | ModelLane>>): Script {
  const isSteps = ([, lane]: readonly [string, unknown]): boolean => Array.isArray(lane);
  const [steps, models] = [
    Object.entries(lanes).filter(isSteps),
    Object.entries(lanes).filter((each) => !isSteps(each)),
  ];
  return {
    lanes: Object.fromEntries(steps) as Script['lanes'],
    ...(models.length === 0 ? {} : { models: Object.fromEntries(models) as Script['models'] & object }),
  };
}

const call = z.strictObject({
  id: z.string().min(1).max(128).optional(),
  name: z.string().min(1).max(128),
  args: z.json().default({}),
});

const step = z.strictObject({
  delayMs: z.int().min(0).max(3_600_000).optional(),
  reasoning: z.string().optional(),
  text: z.string().optional(),
  edits: z.array(z.strictObject({ path: z.string().min(1), content: z.string() })).optional(),
  // biome-ignore lint/suspicious/noThenProperty: a field of a script, which nobody awaits.
  then: z.string().optional(),
  denied: z.string().optional(),
  toolCalls: z.array(call).optional(),
  error: z
    .strictObject({ status: z.int().min(400).max(599), message: z.string().max(1000).optional() })
    .optional(),
});

const laneStep = step.extend({
  instead: z.array(step.extend({ heard: z.string().min(1) })).optional(),
});

const schema = z.strictObject({
  lanes: z
    .record(
      z.string().min(1),
      // What is no list is told what a model lacks, and not that it is no list.
      z.unknown().transform((lane, context) => {
        const read = (Array.isArray(lane) ? z.array(laneStep) : modelLane).safeParse(lane);
        if (read.success) return read.data;
        context.issues.push(...(read.error.issues as never[]));
        return z.NEVER;
      }),
    )
    .refine((lanes) => Object.keys(lanes).length > 0, 'a script has at least one lane'),
});
