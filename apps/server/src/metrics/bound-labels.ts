import { guard } from '@cuebook/guard';
import type { Redactor } from '@cuebook/prompt';

/** The labels that metrics may have, and what Prometheus calls them. */
const LABELS: Readonly<Record<string, string>> = {
  'gen_ai.operation.name': 'operation',
  'gen_ai.provider.name': 'provider',
  'gen_ai.request.model': 'model',
  'gen_ai.token.type': 'type',
  'error.type': 'error',
  'cuebook.run.kind': 'kind',
  'cuebook.run.status': 'status',
  'cuebook.wait.for': 'for',
};

/** Values of one label; further ones are counted together. */
export const MAX_VALUES = 50;
/** Where values are counted together that are too many, private, or no names. */
export const OTHER = 'other';

/**
 * Keeps labels few and free of private words: only known labels pass; a value that is no plain name, that the redactor
 * knows, or that comes after the first fifty of its label is `other`.
 */
export function boundLabels(
  redactor: Pick<Redactor, 'find'>,
): (labels: Readonly<Record<string, unknown>>) => Record<string, string> {
  const seen = new Map<string, Map<string, string>>();
  const shown = (label: string, value: string): string => {
    const values = seen.get(label) ?? new Map<string, string>();
    seen.set(label, values);
    const known = values.get(value);
    if (known !== undefined) return known;
    if (guard('metrics.values', values.size >= MAX_VALUES)) return OTHER;
    if (guard('metrics.name', !NAME.test(value) || redactor.find(value).length > 0)) return OTHER;
    values.set(value, value);
    return value;
  };
  return (labels) =>
    Object.fromEntries(
      Object.entries(labels).flatMap(([name, value]) => {
        const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
        return label === undefined || typeof value !== 'string' ? [] : [[label, shown(label, value)]];
      }),
    );
}

const NAME = /^[A-Za-z0-9][\w.:/@+-]{0,79}$/;
