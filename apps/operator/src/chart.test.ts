import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILTIN_VERSION, builtinConfigMap } from '@cuebook/manifest';
import { printYaml, readYamlDocuments } from '@cuebook/yaml';
import { describe, expect, it } from 'vitest';
import { CHART, renderChart } from '../test/helm.js';

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
  readonly rules?: readonly Rule[];
  readonly webhooks?: readonly { readonly name: string; readonly failurePolicy: string }[];
}
interface PodSpec {
  readonly securityContext: object;
  readonly volumes?: readonly { readonly name: string; readonly persistentVolumeClaim?: object }[];
  readonly initContainers?: readonly {
    readonly command: readonly string[];
    readonly securityContext: object;
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  }[];
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly securityContext: object;
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
    readonly volumeMounts?: readonly { readonly mountPath: string }[];
    readonly ports?: readonly { readonly name: string }[];
    readonly livenessProbe?: object;
    readonly readinessProbe?: object;
  }[];
}
interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const objectsIn = (text: string): readonly Rendered[] => {
  const { documents, diagnostics } = readYamlDocuments('chart', text, 'E_MANIFEST');
  expect(diagnostics).toEqual([]);
  return documents.map(({ value }) => value as Rendered);
};
const chart = (over = {}) => objectsIn(renderChart('here', over));
const names = (objects: readonly Rendered[]) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

/** The built-in prompts as a template of the chart: plain text, as people read it. */
const BUILTIN = [
  '{{- if .Values.builtinPrompts.enabled }}',
  ...[false, true].flatMap((isPinned) => {
    const { data, ...rest } = builtinConfigMap('NAMESPACE', { isPinned });
    const head = printYaml(rest).replace('NAMESPACE', '{{ .Release.Namespace }}').trimEnd();
    return [
      '---',
      head,
      'data:',
      ...Object.entries(data).map(([key, text]) => `  ${key}: |\n${indented(text)}`),
    ];
  }),
  '{{- end }}',
  '',
].join('\n');

function indented(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n');
}

describe('the chart', () => {
  it('says by default what the plain manifests say', async () => {
    // First: what it says is a part of the rest.
    await expect(BUILTIN).toMatchFileSnapshot('../chart/templates/builtin-prompts.yaml');
    const head = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: cuebook-system\n';
    await expect(head + renderChart('cuebook-system')).toMatchFileSnapshot('../cluster/operator.yaml');
    const crd = readFileSync(join(CHART, '../cluster/crd.yaml'), 'utf8');
    await expect(crd).toMatchFileSnapshot('../chart/crds/agents.yaml');
    for (const isPinned of [false, true])
      expect(chart()).toContainEqual(builtinConfigMap('here', { isPinned }));
  });

  it('has parts that can each be left out', () => {
    const off = { enabled: false };
    const database = { existingSecret: 'records' };
    const all = { server: { enabled: true }, worker: { enabled: true }, database };
    const kinds = (over: object) => new Set(names(chart(over)));
    const operator = [
      'Deployment cuebook-operator',
      'ClusterRole cuebook-operator',
      'ServiceAccount cuebook-operator',
    ];
    const webhook = ['Service cuebook-webhook', 'ValidatingWebhookConfiguration cuebook-operator'];
    const server = ['Deployment cuebook-server', 'Service cuebook-server'];
    const worker = ['Deployment cuebook-worker'];
    const builtin = [
      'ConfigMap cuebook-builtin-prompts',
      `ConfigMap cuebook-builtin-prompts-v${BUILTIN_VERSION}`,
    ];
    const rows: readonly [object, readonly string[], readonly string[]][] = [
      [all, [...operator, ...webhook, ...server, ...worker, ...builtin], []],
      [{ ...all, operator: off }, [...server, ...worker, ...builtin], [...operator, ...webhook]],
      [{ ...all, webhook: off }, [...operator, ...server], webhook],
      [{ ...all, server: off }, [...operator, ...worker], server],
      [{ ...all, worker: off }, [...operator, ...server], worker],
      [{ ...all, builtinPrompts: off }, operator, builtin],
    ];
    for (const [over, there, away] of rows) {
      const found = kinds(over);
      expect(there.filter((each) => !found.has(each))).toEqual([]);
      expect(away.filter((each) => found.has(each))).toEqual([]);
    }
    expect(() => chart({ server: { enabled: true } })).toThrow('need database.existingSecret');
  });

  it('runs nothing as root, and everything without rights that it does not use', () => {
    const database = { existingSecret: 'records' };
    const objects = chart({ server: { enabled: true }, worker: { enabled: true }, database });
    const pods = objects.flatMap(({ spec }) => spec?.template?.spec ?? []);
    expect(pods).toHaveLength(3);
    for (const { securityContext, containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
      for (const each of containers)
        expect(each.securityContext).toEqual({
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
          capabilities: { drop: ['ALL'] },
        });
    }
    const rules = objects.flatMap(({ rules: own = [] }) => own);
    expect(
      rules.flatMap(({ verbs, resources }) => [...verbs, ...resources]).filter((each) => each === '*'),
    ).toEqual([]);
    const may = (resource: string) =>
      [
        ...new Set(
          rules.filter(({ resources }) => resources.includes(resource)).flatMap(({ verbs }) => verbs),
        ),
      ].sort();
    expect(may('agents')).toEqual(['get', 'list', 'watch']);
    expect(may('configmaps')).toEqual(['get', 'list', 'watch']);
    expect(may('deployments')).toEqual(['create', 'get', 'list', 'patch', 'watch']);
    expect(may('events')).toEqual(['create', 'patch']);
  });

  it('gives servers and workers their database by a Secret, and the operator its arguments', () => {
    const database = { existingSecret: 'records' };
    const operator = { group: 'kagent.dev', watchNamespace: 'team', agentImage: 'a:1' };
    const server = { enabled: true, names: ['prompts.example.com'] };
    const objects = chart({ operator, server, worker: { enabled: true }, database });
    const container = (name: string) =>
      objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)?.spec?.template
        ?.spec.containers[0];
    expect(container('cuebook-operator')?.args).toEqual([
      ...['operator', '--group=kagent.dev', '--port=8080', '--host=0.0.0.0', '--namespace=team'],
      ...['--agent-image=a:1', '--webhook-port=8443'],
    ]);
    expect(container('cuebook-worker')?.args).toEqual([
      ...['worker', '--project=/project', '--probes=0.0.0.0:9464', '--log-format=json'],
    ]);
    // Whoever keeps them running asks the processes themselves: an open port says nothing of the database.
    for (const [name, port] of [
      ['cuebook-server', 'http'],
      ['cuebook-worker', 'probes'],
    ] as const) {
      const { ports = [], livenessProbe, readinessProbe } = container(name) ?? {};
      expect(ports.map((each) => each.name)).toContain(port);
      expect(livenessProbe).toMatchObject({ httpGet: { path: '/healthz', port } });
      expect(readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port } });
    }
    expect(container('cuebook-server')?.args?.filter((arg) => arg.startsWith('--name='))).toEqual([
      ...['--name=cuebook-server', '--name=cuebook-server.here'],
      ...['--name=cuebook-server.here.svc', '--name=prompts.example.com'],
    ]);
    for (const name of ['cuebook-server', 'cuebook-worker'])
      expect(container(name)?.env).toContainEqual({
        name: 'CUEBOOK_DATABASE_URL',
        valueFrom: { secretKeyRef: { name: 'records', key: 'url' } },
      });
    // A volume is open to others, and a home that is open is refused: it is a folder below one.
    for (const name of ['cuebook-server', 'cuebook-worker']) {
      const { env = [], volumeMounts = [] } = container(name) ?? {};
      const home = env.find((each) => each.name === 'CUEBOOK_HOME')?.value ?? '';
      const mounts = volumeMounts.map(({ mountPath }) => mountPath);
      expect([mounts.includes(home), mounts.some((mount) => home.startsWith(`${mount}/`))]).toEqual([
        false,
        true,
      ]);
    }
    const hooks = objects.flatMap(({ webhooks = [] }) => webhooks);
    expect(hooks.map(({ name, failurePolicy }) => [name, failurePolicy])).toEqual([
      ['agents.kagent.dev', 'Ignore'],
      ['prompt-libraries.cuebook.dev', 'Ignore'],
      ['prompt-libraries.kagent.dev', 'Ignore'],
    ]);
  });
});

describe('the work of teams', () => {
  const REPOSITORY = '/workspaces/work.git';
  const podsWith = (workspaces: object) =>
    chart({
      ...{ operator: { enabled: false }, server: { enabled: true }, worker: { enabled: true } },
      ...{ database: { existingSecret: 'records' }, workspaces },
    }).flatMap(({ spec }) => spec?.template?.spec ?? []);
  const keptAt = ({ containers }: PodSpec) =>
    containers[0]?.env?.find(({ name }) => name === 'CUEBOOK_WORKSPACES')?.value;

  it.each([
    ['nowhere but in the pod, unless it is said', {}, undefined, 0],
    ['in a repository that all reach', { url: 'https://git.example/w.git' }, 'https://git.example/w.git', 0],
    ['in a claim that all mount', { existingClaim: 'shared' }, REPOSITORY, 1],
    [
      'in a repository of such a claim',
      { existingClaim: 'shared', url: '/workspaces/b' },
      '/workspaces/b',
      0,
    ],
  ] as const)('is kept %s', (_, workspaces, place, prepared) => {
    const pods = podsWith(workspaces);
    expect(pods).toHaveLength(2);
    for (const pod of pods) {
      expect(keptAt(pod)).toBe(place);
      const isMounted = 'existingClaim' in workspaces;
      const claim = { name: 'workspaces', persistentVolumeClaim: { claimName: 'shared' } };
      expect(pod.volumes?.filter(({ name }) => name === 'workspaces')).toEqual(isMounted ? [claim] : []);
      const mounts = pod.containers[0]?.volumeMounts?.map(({ mountPath }) => mountPath);
      expect(mounts?.includes('/workspaces')).toBe(isMounted);
      expect(pod.initContainers ?? []).toHaveLength(prepared);
      for (const { command, securityContext, volumeMounts } of pod.initContainers ?? []) {
        expect(command).toEqual(['git', 'init', '--quiet', '--bare', REPOSITORY]);
        expect(volumeMounts).toEqual([{ name: 'workspaces', mountPath: '/workspaces' }]);
        expect(securityContext).toEqual(pod.containers[0]?.securityContext);
      }
    }
  });
});

describe('what the manual sets', () => {
  const values = readYamlDocuments('values', readFileSync(join(CHART, 'values.yaml'), 'utf8'), 'E_MANIFEST')
    .documents[0]?.value as object;
  const nameOf = (path: string) =>
    path.split('.').reduce<unknown>((at, key) => (Object(at) as Record<string, unknown>)[key], values);

  it.each(['cluster', 'machines'])('in %s.md is a value of the chart', (page) => {
    const text = readFileSync(join(CHART, `../../../docs/user/${page}.md`), 'utf8');
    const set = [...text.matchAll(/--set ([\w.]+)=/g)].map(([, name = '']) => name);
    expect(set.length).toBeGreaterThan(3);
    expect(set.filter((name) => nameOf(name) === undefined)).toEqual([]);
  });
});

describe('the container file', () => {
  const text = readFileSync(join(CHART, '../../../Containerfile'), 'utf8');

  it('runs the command as the user that the chart names, who is not root', () => {
    expect(text).toMatch(/^USER 65532:65532$/m);
    expect(text).toMatch(/^ENTRYPOINT \["\/app\/node_modules\/\.bin\/cuebook"\]$/m);
    const { bin } = JSON.parse(readFileSync(join(CHART, '../../cli/package.json'), 'utf8'));
    expect(Object.keys(bin)).toEqual(['cuebook']);
  });

  it('leaves its home to be made by Cuebook, for its user alone', () => {
    const home = /\bCUEBOOK_HOME=(\S+)/.exec(text)?.[1] ?? '';
    const made = /^RUN mkdir (.+?) &&/m.exec(text)?.[1]?.split(' ') ?? [];
    expect([made.includes(home), made.some((folder) => home.startsWith(`${folder}/`))]).toEqual([
      false,
      true,
    ]);
  });
});
