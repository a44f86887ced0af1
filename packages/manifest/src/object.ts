import { guard } from '@cuebook/guard';
import type { Diagnostic, Labels, Piece, Place } from '@cuebook/prompt';
import { readShape, type YamlSource } from '@cuebook/yaml';
import { decodeBase64, decodeText } from './base64.js';
import { type AgentSpec, agentSchema, configMapSchema, secretSchema } from './schema.js';

/** An Agent that is told what to do by a system message of its own. */
export interface AgentObject {
  readonly namespace: string;
  readonly name: string;
  readonly spec: AgentSpec;
  /** The whole object with its places. */
  readonly yaml: YamlSource;
  /** It does not fit as a whole: what does not is left out, and lists may have holes. For a look that goes on. */
  readonly isPartial?: boolean;
}

/** A ConfigMap or Secret: texts by key. */
export interface TextObject {
  readonly kind: TextKind;
  readonly namespace: string;
  readonly name: string;
  readonly fragments: ReadonlyMap<string, Fragment>;
  /** Keys that are there and cannot be included, with the reason. */
  readonly hidden: ReadonlyMap<string, string>;
  /** Labelled as a library of prompts. */
  readonly isLibrary?: boolean;
  /** Ships with Cuebook and stands in for an object that is not among the manifests. */
  readonly isShipped?: boolean;
  /** The file that it is written in. */
  readonly file?: string;
}

/** Labels of ConfigMaps that hold prompts for others to include: kagent's and ours. */
export const LIBRARY_LABELS = ['cuebook.dev/prompt-library', 'kagent.dev/prompt-library'] as const;

export const TEXT_KINDS = ['ConfigMap', 'Secret'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** The text of one key. */
export interface Fragment extends Labels {
  readonly text: string;
  /** What it is, whatever file it lies in: `ConfigMap default/prompts tone`. */
  readonly subject?: string;
  /** Where it stands. */
  readonly place: Place;
  /** The text as labelled pieces, end to end exactly `text`. */
  readonly pieces: () => readonly Piece[];
}

/** Manifests are reviewed before they are applied, and change with each deployment. */
export const MANIFEST_LABELS: Labels = { trust: 'operator', secrecy: 'public', volatility: 'deploy' };

/** Text from a Secret reaches the model and is masked for people. */
export const SECRET_LABELS: Labels = { ...MANIFEST_LABELS, secrecy: 'confidential' };

/** Which object it is. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** What was read of an object: the value, or all that does not fit and what does. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[]; readonly partial?: Value };

/** Reads an Agent; undefined for one that brings its own container and so has no system message of ours. */
export function readAgent(yaml: YamlSource, { namespace, name }: ObjectName): Read<AgentObject | undefined> {
  const shape = readShape(yaml, agentSchema, 'E_MANIFEST');
  if (!shape.ok) {
    const spec = (shape.sketch as Partial<{ spec: AgentSpec }> | undefined)?.spec ?? {};
    return { ...shape, partial: { namespace, name, spec, yaml, isPartial: true } };
  }
  const { spec } = shape.value;
  if (spec.type === 'BYO') return { ok: true, value: undefined };
  return { ok: true, value: { namespace, name, spec, yaml } };
}

/** Reads a ConfigMap. `binaryData` holds bytes, which no template can include. */
export function readConfigMap(yaml: YamlSource, { namespace, name }: ObjectName): Read<TextObject> {
  const shape = readShape(yaml, configMapSchema, 'E_MANIFEST');
  const { data, binaryData } = shape.ok
    ? shape.value
    : { data: textsAt(yaml, 'data'), binaryData: undefined };
  const fragments = new Map<string, Fragment>();
  const subject = `ConfigMap ${namespace}/${name}`;
  for (const [key, text] of entriesOf(data)) {
    fragments.set(
      key,
      placedFragment(yaml, ['data', key], text, { ...MANIFEST_LABELS, subject: `${subject} ${key}` }),
    );
  }
  const hidden = new Map(entriesOf(binaryData).map(([key]) => [key, 'it is binary data']));
  const value: TextObject = {
    ...{ kind: 'ConfigMap', namespace, name, fragments, hidden, file: yaml.file },
    ...(isLibrary(yaml) ? { isLibrary: true } : {}),
  };
  return shape.ok ? { ok: true, value } : { ...shape, partial: value };
}

function isLibrary({ value }: YamlSource): boolean {
  const { metadata } = value as { readonly metadata?: { readonly labels?: unknown } };
  const labels = Object(metadata?.labels) as Readonly<Record<string, unknown>>;
  return LIBRARY_LABELS.some((label) => labels[label] === 'true');
}

/** Reads a Secret: `data` decoded from base64, `stringData` over it. */
export function readSecret(yaml: YamlSource, { namespace, name }: ObjectName): Read<TextObject> {
  const shape = readShape(yaml, secretSchema, 'E_MANIFEST');
  const { data, stringData } = shape.ok
    ? shape.value
    : { data: textsAt(yaml, 'data'), stringData: textsAt(yaml, 'stringData') };
  const fragments = new Map<string, Fragment>();
  const subject = `Secret ${namespace}/${name}`;
  const hidden = new Map<string, string>();
  const diagnostics: Diagnostic[] = [...shape.diagnostics];
  for (const [key, encoded] of entriesOf(data)) {
    const bytes = decodeBase64(encoded ?? '');
    const place = yaml.place(['data', key]);
    if (guard('secret.base64', bytes === undefined)) diagnostics.push(notBase64(key, place));
    const text = decodeText(bytes ?? new Uint8Array());
    if (text === undefined) hidden.set(key, 'it is not UTF-8 text');
    else fragments.set(key, decodedFragment(text, place, `${subject} ${key}`));
  }
  for (const [key, text] of entriesOf(stringData)) {
    hidden.delete(key);
    fragments.set(
      key,
      placedFragment(yaml, ['stringData', key], text, { ...SECRET_LABELS, subject: `${subject} ${key}` }),
    );
  }
  const value: TextObject = { kind: 'Secret', namespace, name, fragments, hidden, file: yaml.file };
  return diagnostics.length > 0 ? { ok: false, diagnostics, partial: value } : { ok: true, value };
}

/** The texts of an object that does not fit: a key whose value is none is there, and empty. */
function textsAt({ value }: YamlSource, key: string): Record<string, string> {
  const found = (value as Readonly<Record<string, unknown>>)[key];
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return {};
  return Object.fromEntries(
    Object.entries(found).map(([name, text]) => [name, typeof text === 'string' ? text : '']),
  );
}

const entriesOf = <Value>(record: Readonly<Record<string, Value>> | null | undefined): [string, Value][] =>
  Object.entries(record ?? {});

/** A text of an object, with its labels and what it is. */
export const placedFragment = (
  yaml: YamlSource,
  path: readonly PropertyKey[],
  text: string,
  { subject, ...labels }: Labels & { readonly subject: string },
): Fragment => ({
  text,
  subject,
  ...labels,
  // Looked up when asked for: of many keys few are included.
  get place() {
    return yaml.place(path);
  },
  pieces: () =>
    yaml.pieces(path, labels).map((piece) => ({ ...piece, origin: { ...piece.origin, subject } })),
});

const decodedFragment = (text: string, place: Place, subject: string): Fragment => ({
  text,
  subject,
  ...SECRET_LABELS,
  place,
  pieces: () =>
    text === '' ? [] : [{ text, origin: { kind: 'value', ...place, subject }, ...SECRET_LABELS }],
});

/** The message does not quote the value: it may be the secret itself, not encoded. */
const notBase64 = (key: string, { ref, line, column }: Place): Diagnostic => ({
  code: 'E_MANIFEST',
  severity: 'error',
  message: `data.${key}: not base64. Text that is not encoded belongs under stringData`,
  file: ref,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
  path: `data.${key}`,
});
