import { hint } from '@cuebook/prompt/hint';
import type { Argument, Flag } from '../command.js';

/** A target, or none where manifests are named instead. */
export const TARGET: Argument = {
  name: 'target',
  description:
    'what to compose, such as sheet:review, or sheet:review@HEAD~1 at a git revision; none with -f',
  required: false,
  values: 'target',
};

/** Manifests in the place of a target. */
export const MANIFESTS: readonly Flag[] = [
  {
    name: 'file',
    short: 'f',
    value: 'FILE',
    description: 'manifests instead of a target: a file, a folder, or - for standard input',
    repeatable: true,
    values: 'path',
  },
  {
    name: 'agent',
    value: 'NAMESPACE/NAME',
    description: 'which Agent of the manifests, when there are several',
  },
];

/** Confidential text in the clear. */
export const REVEAL: Flag = {
  name: 'reveal',
  description: 'show confidential text instead of [confidential]',
};

/** Where the records are. */
export const DATABASE: Flag = {
  name: 'database',
  value: 'URL',
  description:
    'a Postgres database for the records; CUEBOOK_DATABASE_URL names it without showing its password',
};

/** How a cluster is reached. */
export const REACH: readonly Flag[] = [
  { name: 'kubeconfig', value: 'FILE', description: 'how the cluster is reached', values: 'path' },
  {
    name: 'context',
    value: 'NAME',
    description: 'the context of the kubeconfig; by default its current one',
  },
  {
    name: 'group',
    value: 'GROUP',
    description: 'whose Agents: cuebook.dev (by default) or kagent.dev',
  },
];

/** A cluster in the place of files, with the files of `-f` over it. */
export const CLUSTER: readonly Flag[] = [
  {
    name: 'cluster',
    description:
      'read Agents, ConfigMaps and Secrets from a Kubernetes cluster; files given with -f replace theirs',
  },
  {
    name: 'namespace',
    short: 'n',
    value: 'NAME',
    description: 'with --cluster: the namespace; by default that of the context',
  },
  { name: 'all-namespaces', short: 'A', description: 'with --cluster: every namespace' },
  ...REACH.map((flag) => ({ ...flag, description: `with --cluster: ${flag.description}` })),
];

/** On whose behalf a platform is changed. */
export const BY: Flag = {
  name: 'by',
  value: 'WHO',
  description: 'on whose behalf; your user name by default',
};

/** How encrypted keys are opened without a terminal. */
export const PASSPHRASES: Flag = {
  name: 'passphrases',
  value: 'FILE',
  description: 'passphrases of encrypted keys, one per line; asked for at a terminal',
  values: 'path',
};

/** Who speaks. */
export const VOICE: readonly Flag[] = [
  { name: 'provider', value: 'NAME', description: `the provider to use: see ${hint`providers`}` },
  { name: 'model', value: 'NAME', description: 'which model of the provider' },
  {
    name: 'script',
    value: 'FILE',
    description: 'a script that answers instead of a model, as YAML or JSON',
    values: 'path',
  },
];
