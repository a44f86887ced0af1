/** A folder under which private things live: how many more segments make a path private. */
export interface FolderRule {
  readonly more: number;
  /** As `more`, in structured values, where a string that looks like a path is one. */
  readonly moreInValues: number;
  /** First segments below it that everybody has. */
  readonly except: ReadonlySet<string>;
  readonly exceptLike: RegExp | undefined;
  /** The next segment is somebody's name, not a file. */
  readonly home: boolean;
}

export interface FolderNode {
  readonly next: ReadonlyMap<string, FolderNode>;
  readonly rule?: FolderRule;
}

interface Row {
  readonly path: string;
  readonly more: number;
  readonly moreInValues?: number;
  readonly except?: string;
  readonly home?: true;
  readonly exceptLike?: RegExp;
}

/** What a distribution keeps below `/usr/src`: kernels, modules and packages with their versions. */
const SOURCES_OF_SYSTEM =
  /^(?:linux|kernels?$|nvidia|v(?:irtual)?box|debug|redhat|packages$|python$|ruby$|php$|g?mock|g(?:oogle)?test|[\w+.]+-\d)/;

/**
 * `?` is any single letter, as a drive; `#` any number: `data#` is `data1` and `data00`. `more` 0 means: never in
 * prose, where the same words are a route.
 */
const ROWS: readonly Row[] = [
  { path: 'Users', more: 1, home: true },
  { path: 'home', more: 1, home: true, except: 'linuxbrew' },
  { path: 'home#', more: 1, home: true },
  { path: 'homes', more: 1, home: true },
  { path: 'root', more: 1 },
  { path: 'tmp', more: 1 },
  ...each(
    'var/tmp var/folders var/root var/jenkins_home var/lib/jenkins var/mobile var/backups var/task var/app',
    1,
  ),
  { path: 'var/home', more: 1, home: true },
  { path: 'project/home', more: 1, home: true },
  ...each('gcs var/spool/slurm var/spool/slurmd', 1),
  ...each('var/mail var/spool/mail var/spool/cron var/cron/tabs etc/sudoers.d dev/shm Library/Keychains', 1),
  { path: 'var/lib', more: 3, except: 'apt dpkg rpm pacman dnf yum postgresql pgsql mysql systemd' },
  ...each('var/lib/docker/volumes var/lib/buildkite-agent var/lib/gitlab-runner var/lib/teamcity', 1),
  ...each('var/opt var/vcap var/data', 2, 1),
  { path: 'var/www', more: 2, except: 'html' },
  { path: 'var/www/html', more: 2 },
  ...each('private/tmp private/home System/Volumes/Data Network/Servers Volumes', 1),
  { path: 'private/var', more: 1, except: 'log db run' },
  ...each('run/user run/media run/host', 1),
  ...each(
    'run/containerd run/docker run/k3s run/crio run/podman run/libpod var/run/containerd var/run/docker',
    2,
  ),
  { path: 'export/home', more: 1, home: true },
  { path: 'exports', more: 0, moreInValues: 1 },
  { path: 'usr/home', more: 1, home: true },
  { path: 'usr/people', more: 1, home: true },
  { path: 'usr/local/google/home', more: 1, home: true },
  { path: 'mnt', more: 2, moreInValues: 1 },
  { path: 'cygdrive', more: 2, moreInValues: 1 },
  { path: 'media', more: 2, moreInValues: 2 },
  { path: 'srv', more: 1, except: 'http www ftp tftp salt pillar' },
  ...each('srv/http srv/www srv/ftp', 2, 1),
  { path: 'afs', more: 2 },
  { path: 'net', more: 3, moreInValues: 2 },
  // Disks and file systems of servers.
  ...each(
    'host_mnt nfs nas scratch lscratch gpfs lustre beegfs ceph cephfs gluster glusterfs efs fsx panfs weka',
    1,
  ),
  ...each(
    'data# disk# disks vol# volume# mnt# nfs# nas# scratch# gpfs# lustre# storage# export# ssd# hdd# nvme# raid# fs#',
    1,
  ),
  ...each('raid ssd nvme hdfs dbfs proj work# u#/app d#/app', 1),
  {
    path: 'opt',
    more: 2,
    moreInValues: 1,
    except:
      'homebrew local conda miniconda anaconda google X11 venv cuda rocm nvidia bin lib share etc pkg python node ' +
      'hostedtoolcache',
  },
  ...each(
    'sdcard storage/emulated data/data data/user data/user_de data/local data/media data/misc var/containers proc/#/root proc/#/cwd proc/self/root proc/self/cwd',
    1,
  ),
  ...each('jails zroot tank rpool data/app', 2, 1),
  // Folders that builds, containers and notebooks work in.
  ...each(
    'workdir workspace workspaces Workspace github/workspace github/home github/runner_temp __w _work',
    1,
  ),
  ...each(
    'runner/_work agent/_work agent/work azp/_work azp/agent vsts actions-runner codebuild drone/src',
    1,
  ),
  ...each(
    'woodpecker/src bitrise/src bitrise/deploy teamcity buildagent buildkite buildkite-agent circleci',
    1,
  ),
  ...each(
    'gitlab-runner jenkins bamboo bamboo-agent bamboo-agent-home concourse vercel kaggle/working kaggle/input',
    1,
  ),
  ...each('content/drive kaniko/buildcontext tekton/home harness/source cirrus-ci-build semaphore', 1),
  { path: 'builds', more: 1, except: 'latest nightly stable new' },
  ...each('kaniko databricks go/src cnb bitnami tekton', 2, 1),
  ...each('codefresh/volume runpod-volume teamspace/studios usr/local/app usr/local/airflow', 1),
  { path: 'usr/local/tomcat/webapps', more: 1, except: 'ROOT docs examples manager host-manager' },
  ...each('nix/var/nix/profiles/per-user nix/var/nix/gcroots/per-user', 1),
  { path: 'usr/app', more: 1 },
  { path: 'usr/src', more: 2, exceptLike: SOURCES_OF_SYSTEM },
  { path: 'Repos', more: 2 },
  { path: 'export', more: 2, moreInValues: 2, except: 'csv json pdf xlsx default const' },
  ...each('data storage work projects project backup backups code repo sources checkout apps', 0, 2),
  ...each('deploy deployments share volumes mount mounts sandbox notebooks', 0, 2),
  { path: '?/Users', more: 1, home: true },
  { path: '?/Documents and Settings', more: 1, home: true },
  ...['rootfs', 'hostfs', 'host', 'newroot', 'sysroot'].flatMap((root) => [
    { path: `${root}/home`, more: 1, home: true as const },
    { path: `${root}/Users`, more: 1, home: true as const },
    { path: `${root}/root`, more: 1 },
  ]),
];

/** One row for each of these folders. */
function each(paths: string, more: number, moreInValues = more): readonly Row[] {
  return paths.split(' ').map((path) => ({ path, more, moreInValues }));
}

/** The rules as a tree of segments. Matching is case-sensitive: `/Users/x` is a home, `/users/x` a route. */
export const FOLDERS: FolderNode = treeOf(ROWS);

function treeOf(rows: readonly Row[]): FolderNode {
  interface Growing {
    readonly next: Map<string, Growing>;
    rule?: FolderRule;
  }
  const root: Growing = { next: new Map() };
  for (const row of rows) {
    let node = root;
    for (const segment of row.path.split('/')) {
      const child = node.next.get(segment) ?? { next: new Map() };
      node.next.set(segment, child);
      node = child;
    }
    node.rule = {
      more: row.more,
      moreInValues: row.moreInValues ?? row.more,
      except: new Set(row.except?.split(' ') ?? []),
      exceptLike: row.exceptLike,
      home: row.home ?? false,
    };
  }
  return root;
}
