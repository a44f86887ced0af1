import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of workspaces. */
export const WORKSPACE_CODES = {
  E_GIT: {
    title: 'git could not answer',
    cause:
      'git is not installed, the project is not in a git checkout, or git failed; the message says which.',
    fix: 'Install git, or call the command without a revision.',
  },
  E_WORKSPACE_GIT: {
    title: 'git was not found',
    cause: 'Workspaces and diffs are made with the program git, and it is not on the path.',
    fix: 'Install git, or put it on the path of the process.',
  },
  E_WORKSPACE_READ: {
    title: 'A workspace that cannot be read or written',
    cause: 'The disk is full, a file is closed to this process, or the record of the workspace is damaged.',
    fix: 'Fix what the message names, then do the same again: nothing was lost.',
  },
  E_WORKSPACE_LARGE: {
    title: 'Too many files for a workspace',
    cause: 'The project has more files that are not ignored than a workspace takes.',
    fix: 'Name folders that are not source in a .gitignore file.',
  },
  E_WORKSPACE_UNKNOWN: {
    title: 'No such workspace',
    cause: 'The run or node has no workspace here, or its name cannot be one.',
    fix: `See ${hint`runs workspaces`} for those that there are.`,
  },
  E_WORKSPACE_SETUP: {
    title: 'The set-up command failed',
    cause: 'The command that makes a fresh workspace ready (`setup` in the team file) did not end with 0.',
    fix: 'Correct the command; it is run again at the next turn of the node.',
  },
  E_WORKSPACE_BUSY: {
    title: 'Files are being changed',
    cause: 'Another process changed the same files at the same moment, so nothing was written.',
    fix: 'Do the same once more.',
  },
  E_WORKSPACE_TOOL: {
    title: 'A tool that did not do what was asked',
    cause: 'The path does not exist, leads elsewhere, or the node may not do this; the message says which.',
    fix: 'Use another path, or ask for the right to do it.',
  },
  E_WORKSPACE_COMMIT: {
    title: 'Work that was not committed',
    cause: 'A commit would hold more than the work, or git refused it; the message says which.',
    fix: 'Commit by hand what the message names, or apply without a commit.',
  },
  E_WORKSPACE_PUSH: {
    title: 'A branch that was not pushed',
    cause:
      'The project has no remote, the name is not one of a branch, or the remote said no; the message says which.',
    fix: 'Name another branch, or push by hand and read what git says.',
  },
  E_WORKSPACE_REMOTE: {
    title: 'The repository of the workspaces cannot be used',
    cause:
      'The git repository that machines share their workspaces through does not answer, is none, or does not let this machine in; the message says which.',
    fix: 'Make one with `git init --bare`, and name it in CUEBOOK_WORKSPACES or `workspaces` of cuebook.yaml. Runs that wait for it continue by themselves.',
  },
  E_WORKSPACE_MOVED: {
    title: 'Another machine has gone on with the run',
    cause: 'This process was silent for too long, and another machine took the run over with its workspaces.',
    fix: 'Nothing; the other machine continues.',
  },
  E_WORKSPACE_VERSION: {
    title: 'A version of the project that this machine cannot have',
    cause:
      'The run began with a commit that is neither in the clone of this machine nor in a repository that it knows, or the source is not an address of one; the message says which.',
    fix: 'Push the commit, or name a repository or a bucket that has it with --source, CUEBOOK_SOURCE or `source` of cuebook.yaml. The run continues by itself on a machine that has it.',
  },
  E_WORKSPACE_ABORTED: {
    title: 'Ended before its end',
    cause: 'Somebody interrupted the node or stopped the run while a command ran.',
    fix: 'Nothing; the node is told when it continues.',
  },
} as const satisfies Record<string, CodeEntry>;
