import { plainJson } from './plain-json.js';
import { threadState } from './thread-state.js';
import { thrownText, toolResult } from './tool-result.js';

/**
 * Does one piece of work with a definition. Never rejects: whatever the definition's code does is an outcome, as
 * long as it comes back.
 *
 * @param {unknown} definition
 * @param {import('../src/live/protocol.js').ThreadWork} work
 * @param {{ readonly signal: AbortSignal, readonly ask: Ask }} around
 * @returns {Promise<import('../src/live/protocol.js').WorkOutcome>}
 *
 * @typedef {(of: 'state' | 'child', does: 'setEnv' | 'notifyParent', name: string, value: string, kind?: 'text' | 'secret') => Promise<boolean>} Ask
 */
export async function perform(definition, work, { signal, ask }) {
  try {
    if (work.does === 'check') return await checked(definition, work.args);
    if (work.does === 'approval') return await approvalOf(definition, work.args);
    const states = [work.state, ...(work.child === undefined ? [] : [work.child])].map((data, index) =>
      threadState(/** @type {NonNullable<typeof data>} */ (data), signal, (...asked) =>
        ask(index === 0 ? 'state' : 'child', ...asked),
      ),
    );
    if (work.does === 'tool') return await ranTool(definition, work.args, states);
    return hookValue(await execute(definition, [...states, .../** @type {unknown[]} */ (work.args)]));
  } catch (error) {
    return { kind: 'threw', text: thrownText(error), aborted: signal.aborted };
  }
}

/**
 * @param {unknown} definition
 * @param {readonly unknown[]} args
 */
async function execute(definition, args) {
  const run = Reflect.get(/** @type {object} */ (definition), 'execute');
  return Reflect.apply(run, definition, args);
}

/**
 * @param {unknown} definition
 * @param {unknown} args
 * @param {readonly unknown[]} states
 */
async function ranTool(definition, args, states) {
  const parsed = await parse(Reflect.get(/** @type {object} */ (definition), 'args'), args);
  if ('problems' in parsed) return /** @type {const} */ ({ kind: 'invalid', problems: parsed.problems });
  const given = 'value' in parsed ? [...states, parsed.value] : states;
  return toolResult(await execute(definition, given));
}

/**
 * What a tool's own function says of a call: it sees the arguments as `execute` would.
 *
 * @param {unknown} definition
 * @param {unknown} args
 * @returns {Promise<import('../src/live/protocol.js').WorkOutcome>}
 */
async function approvalOf(definition, args) {
  const fields = /** @type {object} */ (definition);
  const parsed = await parse(Reflect.get(fields, 'args'), args);
  if ('problems' in parsed) return { kind: 'invalid', problems: parsed.problems };
  const given = 'value' in parsed ? [parsed.value] : [];
  return hookValue(await Reflect.apply(Reflect.get(fields, 'approval'), definition, given));
}

/**
 * @param {unknown} value
 * @returns {import('../src/live/protocol.js').WorkOutcome}
 */
function hookValue(value) {
  const json = plainJson(value);
  if (json.ok) return { kind: 'value', value: /** @type {any} */ (json.value) };
  return { kind: 'not-json', text: `What it returned is not JSON: ${json.why}` };
}

/**
 * The parsed arguments where they are JSON, else those that were given: dates and the like stay in this thread.
 *
 * @param {unknown} definition
 * @param {import('@cuebook/prompt').JsonValue} args
 * @returns {Promise<import('../src/live/protocol.js').WorkOutcome>}
 */
async function checked(definition, args) {
  const fields = /** @type {object} */ (definition);
  const parsed = await parse(Reflect.get(fields, 'requiredSchema') ?? Reflect.get(fields, 'args'), args);
  if ('problems' in parsed) return { kind: 'invalid', problems: parsed.problems };
  const json = 'value' in parsed ? plainJson(parsed.value) : { ok: false };
  return { kind: 'value', value: json.ok ? /** @type {any} */ (json).value : args };
}

const MAX_PROBLEMS = 50;

/**
 * By the interface that all schema libraries share, so that it does not matter whose copy of zod made the schema.
 * Without a schema there is nothing to parse, and no value.
 *
 * @param {unknown} schema
 * @param {unknown} args
 * @returns {Promise<{ readonly value?: unknown } | { readonly problems: readonly import('../src/live/protocol.js').ArgsProblem[] }>}
 */
async function parse(schema, args) {
  if (schema === undefined) return {};
  const standard = Reflect.get(/** @type {object} */ (schema), '~standard');
  const { value, issues } = await standard.validate(rebuilt(args, null));
  if (issues === undefined) return { value: rebuilt(value, Object.prototype) };
  const problems = Array.from(issues)
    .slice(0, MAX_PROBLEMS)
    .map((/** @type {any} */ issue) => ({
      path: pathText(issue.path),
      message: String(issue.message).slice(0, 500),
    }));
  return { problems };
}

/**
 * JSON in objects of another prototype. A schema that reads an argument called `toString` must not find what every
 * object has; the tool gets ordinary objects again. Anything that is no plain object, such as a date, stays as it is.
 *
 * @param {unknown} value
 * @param {object | null} prototype
 * @returns {unknown}
 */
function rebuilt(value, prototype) {
  if (Array.isArray(value)) return value.map((each) => rebuilt(each, prototype));
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.getPrototypeOf(value);
  if (own !== Object.prototype && own !== null) return value;
  const copy = Object.create(prototype);
  for (const [key, each] of Object.entries(value))
    Object.defineProperty(copy, key, {
      ...{ value: rebuilt(each, prototype), enumerable: true, writable: true, configurable: true },
    });
  return copy;
}

/** @param {unknown} path */
const pathText = (path) =>
  Array.isArray(path)
    ? path
        .map((step) => String(typeof step === 'object' && step !== null ? step.key : step))
        .join('.')
        .slice(0, 500)
    : '';
