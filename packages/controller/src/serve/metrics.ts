/** Numbers that a Prometheus server reads. */
export interface Metrics {
  count(name: string, labels?: MetricLabels, by?: number): void;
  set(name: string, value: number, labels?: MetricLabels): void;
  observe(name: string, seconds: number, labels?: MetricLabels): void;
  /** In the text format of Prometheus. */
  text(): string;
}

export type MetricLabels = Readonly<Record<string, string>>;

export type MetricKind = 'counter' | 'gauge' | 'histogram';

/** What each metric means; only these are kept. */
export type MetricTable = Readonly<Record<string, { readonly kind: MetricKind; readonly help: string }>>;

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** `onRead` is called before the numbers are read, for those that are looked up only then. */
export function createMetrics(table: MetricTable, onRead?: (metrics: Metrics) => void): Metrics {
  const values = new Map<string, Map<string, number>>(Object.keys(table).map((name) => [name, new Map()]));
  const add = (name: string, labels: MetricLabels, by: number, suffix = ''): void => {
    const rows = values.get(name);
    if (rows === undefined) return;
    const row = `${name}${suffix}${labelText(labels)}`;
    rows.set(row, (rows.get(row) ?? 0) + by);
  };
  const metrics: Metrics = {
    count: (name, labels = {}, by = 1) => add(name, labels, by),
    set: (name, value, labels = {}) => void values.get(name)?.set(`${name}${labelText(labels)}`, value),
    observe(name, seconds, labels = {}) {
      for (const le of BUCKETS) add(name, { ...labels, le: String(le) }, seconds <= le ? 1 : 0, '_bucket');
      add(name, { ...labels, le: '+Inf' }, 1, '_bucket');
      add(name, labels, seconds, '_sum');
      add(name, labels, 1, '_count');
    },
    text() {
      onRead?.(metrics);
      return Object.entries(table)
        .map(([name, { kind, help }]) => {
          const rows = [...(values.get(name) ?? [])].map(([row, value]) => `${row} ${value}\n`).join('');
          return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${rows}`;
        })
        .join('');
    },
  };
  return metrics;
}

function labelText(labels: MetricLabels): string {
  const rows = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return rows.length === 0 ? '' : `{${rows.join(',')}}`;
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
