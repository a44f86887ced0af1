/** A folder under which private things live: how many more segments make a path private. */
export interface FolderRule {
  readonly more: number;
  /** As `more`, in structured values, where a string that looks like a path is one. */
  readonly moreInValues: number;
  /** First segments below it that everybody has. */
  readonly except: ReadonlySet<string>;
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
}

/** `?` is any single letter, as a drive. `more` 0 means: never in prose. */
const ROWS: readonly Row[] = [
  { path: 'Users', more: 1, home: true },
  { path: 'home', more: 1, home: true, except: 'linuxbrew' },
  { path: 'root', more: 1 },
  { path: 'tmp', more: 1 },
  { path: 'var/tmp', more: 1 },
  { path: 'var/folders', more: 1 },
  { path: 'var/home', more: 1, home: true },
  { path: 'var/root', more: 1 },
  { path: 'var/jenkins_home', more: 1 },
  { path: 'var/lib/jenkins', more: 1 },
  { path: 'var/www', more: 2, except: 'html' },
  { path: 'var/mobile', more: 1 },
  { path: 'private/tmp', more: 1 },
  { path: 'private/var', more: 1, except: 'log db run' },
  { path: 'private/home', more: 1 },
  { path: 'System/Volumes/Data', more: 1 },
  { path: 'Network/Servers', more: 1 },
  { path: 'Volumes', more: 1 },
  { path: 'run/user', more: 1 },
  { path: 'run/media', more: 1 },
  { path: 'export/home', more: 1, home: true },
  { path: 'exports', more: 0, moreInValues: 1 },
  { path: 'usr/home', more: 1, home: true },
  { path: 'usr/people', more: 1, home: true },
  { path: 'usr/local/google/home', more: 1, home: true },
  { path: 'mnt', more: 2, moreInValues: 1 },
  { path: 'host_mnt', more: 1 },
  { path: 'cygdrive', more: 2, moreInValues: 1 },
  { path: 'media', more: 2, moreInValues: 2 },
  { path: 'srv', more: 2, moreInValues: 1 },
  { path: 'nfs', more: 1 },
  { path: 'nas', more: 1 },
  { path: 'afs', more: 2 },
  { path: 'net', more: 0, moreInValues: 2 },
  { path: 'scratch', more: 1 },
  { path: 'gpfs', more: 1 },
  { path: 'lustre', more: 1 },
  {
    path: 'opt',
    more: 2,
    moreInValues: 1,
    except:
      'homebrew local conda miniconda anaconda google X11 venv cuda rocm nvidia bin lib share etc pkg python node',
  },
  { path: 'sdcard', more: 1 },
  { path: 'storage/emulated', more: 1 },
  { path: 'data/data', more: 1 },
  { path: 'data/user', more: 1 },
  { path: 'workspaces', more: 1 },
  { path: 'builds', more: 2, moreInValues: 1 },
  { path: 'github/workspace', more: 1 },
  { path: '__w', more: 1 },
  { path: 'data', more: 0, moreInValues: 2 },
  { path: 'storage', more: 0, moreInValues: 2 },
  { path: 'export', more: 0, moreInValues: 2 },
  { path: 'workspace', more: 0, moreInValues: 1 },
  { path: 'work', more: 0, moreInValues: 2 },
  { path: 'projects', more: 0, moreInValues: 2 },
  { path: 'backup', more: 0, moreInValues: 2 },
  { path: 'backups', more: 0, moreInValues: 2 },
  { path: '?/Users', more: 1, home: true },
  { path: '?/Documents and Settings', more: 1, home: true },
  { path: 'rootfs/home', more: 1, home: true },
  { path: 'rootfs/root', more: 1 },
  { path: 'hostfs/home', more: 1, home: true },
  { path: 'hostfs/Users', more: 1, home: true },
];

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
      home: row.home ?? false,
    };
  }
  return root;
}
