import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readPattern } from './pattern/pattern.js';

/** Problems of one value that are told. */
const MAX_PROBLEMS = 20;

/** What a JSON Schema finds wrong with a value, or as one sentence why it is no schema. */
export function schemaProblems(schema: unknown, value: unknown): readonly string[] | string {
  const ajv = judgeFor(schema);
  try {
    const isValid = ajv.compile(schema as object);
    if (isValid(value)) return [];
    return (isValid.errors ?? [])
      .slice(0, MAX_PROBLEMS)
      .map(({ instancePath, message = 'does not fit' }) => `${placeOf(instancePath)}: ${message}`);
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read';
  }
}

/** Why a value is no JSON Schema; undefined when it is one. */
export function schemaFault(schema: unknown): string | undefined {
  const problems = schemaProblems(schema, null);
  return typeof problems === 'string' ? problems : undefined;
}

/** A word that no schema knows is a mistake: it would let everything through. */
const OPTIONS: Options = {
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  addUsedSchema: false,
  logger: false,
  code: { regExp: Object.assign(linearRegExp, { code: 'linearRegExp' }) },
};

/** Words of a model meet no pattern that could take for ever. One that cannot be matched so is refused as a schema. */
function linearRegExp(source: string): { readonly test: (text: string) => boolean } {
  const read = readPattern(source);
  if (!read.ok) throw new Error(`the pattern is not taken: ${read.error}`);
  return { test: read.value.matchesPart };
}

/** The draft that a schema names; the newest where it names none. */
function judgeFor(schema: unknown): Ajv {
  const named = typeof schema === 'object' && schema !== null && '$schema' in schema ? schema.$schema : '';
  const text = String(named);
  const ajv = /draft-0[67]/.test(text)
    ? new Ajv(OPTIONS)
    : /2019-09/.test(text)
      ? new Ajv2019(OPTIONS)
      : new Ajv2020(OPTIONS);
  (addFormats as unknown as (to: unknown) => void)(ajv);
  return ajv as unknown as Ajv;
}

const placeOf = (pointer: string): string =>
  pointer === ''
    ? 'it'
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
        .join('.');
