import { readShape, type YamlSource } from '@cuebook/profile';
import type { Diagnostic, Labels, Piece, Place } from '@cuebook/prompt';
import { decodeBase64, decodeText } from './base64.js';
import { guard } from './guard.js';
import { type AgentSpec, agentSchema, configMapSchema, secretSchema } from './schema.js';

/** An Agent that is told what to do by a system message of its own. */
export interface Agent {
  readonly namespace: string;
  readonly name: string;
  readonly spec: AgentSpec;
  /** The whole object with its places. */
  readonly yaml: YamlSource;
}

/** A ConfigMap or Secret: texts by key. */
export interface TextObject {
  readonly kind: TextKind;
  readonly namespace: string;
  readonly name: string;
  readonly fragments: ReadonlyMap<string, Fragment>;
  /** Keys that are there and cannot be included, with the reason. */
  readonly hidden: ReadonlyMap<string, string>;
  /** Ships with Cuebook and stands in for an object that is not among the manifests. */
  readonly isShipped?: boolean;
}

export const TEXT_KINDS = ['ConfigMap', 'Secret'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** The text of one key. */
export interface Fragment extends Labels {
  readonly text: string;
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

/** What was read of an object: the value, or all that does not fit. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Reads an Agent; undefined for one that brings its own container and so has no system message of ours. */
export function readAgent(yaml: YamlSource, { namespace, name }: ObjectName): Read<Agent | undefined> {
  const shape = readShape(yaml, agentSchema, 'E_MANIFEST');
  if (!shape.ok) return shape;
  const { spec } = shape.value;
  if (spec.type === 'BYO') return { ok: true, value: undefined };
  return { ok: true, value: { namespace, name, spec, yaml } };
}

/** Reads a ConfigMap. `binaryData` holds bytes, which no template can include. */
export function readConfigMap(yaml: YamlSource, { namespace, name }: ObjectName): Read<TextObject> {
  const shape = readShape(yaml, configMapSchema, 'E_MANIFEST');
  if (!shape.ok) return shape;
  const fragments = new Map<string, Fragment>();
  for (const [key, text] of entriesOf(shape.value.data)) {
    fragments.set(key, placedFragment(yaml, ['data', key], text, MANIFEST_LABELS));
  }
  const hidden = new Map(entriesOf(shape.value.binaryData).map(([key]) => [key, 'it is binary data']));
  return { ok: true, value: { kind: 'ConfigMap', namespace, name, fragments, hidden } };
}

/** Reads a Secret: `data` decoded from base64, `stringData` over it. */
export function readSecret(yaml: YamlSource, { namespace, name }: ObjectName): Read<TextObject> {
  const shape = readShape(yaml, secretSchema, 'E_MANIFEST');
  if (!shape.ok) return shape;
  const fragments = new Map<string, Fragment>();
  const hidden = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const [key, encoded] of entriesOf(shape.value.data)) {
    const bytes = decodeBase64(encoded ?? '');
    const place = yaml.place(['data', key]);
    if (guard('secret.base64', bytes === undefined)) diagnostics.push(notBase64(key, place));
    const text = decodeText(bytes ?? new Uint8Array());
    if (text === undefined) hidden.set(key, 'it is not UTF-8 text');
    else fragments.set(key, decodedFragment(text, place));
  }
  for (const [key, text] of entriesOf(shape.value.stringData)) {
    hidden.delete(key);
    fragments.set(key, placedFragment(yaml, ['stringData', key], text, SECRET_LABELS));
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  return { ok: true, value: { kind: 'Secret', namespace, name, fragments, hidden } };
}

const entriesOf = <Value>(record: Readonly<Record<string, Value>> | null | undefined): [string, Value][] =>
  Object.entries(record ?? {});

const placedFragment = (
  yaml: YamlSource,
  path: readonly PropertyKey[],
  text: string,
  labels: Labels,
): Fragment => ({
  text,
  ...labels,
  // Looked up when asked for: of many keys few are included.
  get place() {
    return yaml.place(path);
  },
  pieces: () => yaml.pieces(path, labels),
});

const decodedFragment = (text: string, place: Place): Fragment => ({
  text,
  ...SECRET_LABELS,
  place,
  pieces: () => (text === '' ? [] : [{ text, origin: { kind: 'value', ...place }, ...SECRET_LABELS }]),
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
