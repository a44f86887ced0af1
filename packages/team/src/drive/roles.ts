import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { eventsOf, type RunId, type Store } from '@cuebook/journal';
import { mayTouch } from '../capability/access.js';
import type { AgentTexts } from '../role/agent-text.js';
import { findRoles, loadRole, lookForRoles, namesWith, parseRole, readRole } from '../role/load.js';
import { roleOfFile } from '../role/name.js';
import type { RoleTemplate } from '../role/template.js';
import type { WithheldWords } from '../role/vet.js';
import type { TeamCommand } from '../run/command.js';
import { nodesOf, type TeamState } from '../run/state.js';

/** Keeps the templates of runs up to date with the repository. */
export interface Roles {
  /** Takes in what people have changed. To be called before anything that may start a turn. */
  refresh(run: RunId): Promise<void>;
  /** What a turn of a node has changed in its folder: templates among it are proposed, never taken. */
  propose(run: RunId, changed: Changed): Promise<void>;
  /** Asks the person of a run that has begun about words that it did not take. */
  ask(run: RunId, withheld: readonly WithheldWords[]): Promise<void>;
  /** The templates of all runs whose agents are at work in the project's folder. */
  atWork(): Promise<readonly TeamState['roles'][]>;
  /** The run is over: nothing of it is remembered any more. */
  forget(run: RunId): void;
}

export interface Changed {
  /** Command ids begin with it: the same again is the same command. */
  readonly effect: string;
  readonly node: string;
  /** `unknown`: nobody could look. In the project's own folder every template may then be the agent's. */
  readonly files: readonly string[] | 'unknown';
  /** The folder in which they were changed. */
  readonly source: TextSource;
  /** It is the project's own folder: every run reads its templates there. */
  readonly shared: boolean;
}

export interface RolesOptions {
  readonly project: TextSource;
  readonly store: Pick<Store, 'read'>;
  readonly states: {
    read(run: RunId): Promise<{ readonly state: TeamState; readonly seq: number }>;
    /** The runs that are not over. */
    active(): Promise<readonly RunId[]>;
    /** Those of them in which something is in flight. */
    busy(): Promise<readonly RunId[]>;
  };
  readonly submit: (run: RunId, id: string, command: TeamCommand) => Promise<unknown>;
  readonly texts: AgentTexts;
  readonly digest: (text: string) => string;
  /** The commit that is checked out in the project; undefined outside a repository. */
  readonly commit: () => Promise<string | undefined>;
  /** Whether the agents of a provider are programs that act by themselves. */
  readonly acts: (provider: string) => boolean;
  /** Called when words of an agent are known as such, before anybody is asked about them. */
  readonly noted: () => void | Promise<void>;
}

export function createRoles(options: RolesOptions): Roles {
  const { project, store, states, submit, texts, digest, noted, acts } = options;
  const seen = new Map<RunId, Seen>();

  const seenOf = async (run: RunId): Promise<Seen> => {
    const found = seen.get(run) ?? { last: new Map(), known: await knownTexts(store, run) };
    seen.set(run, found);
    return found;
  };
  const update = async (run: RunId, role: RoleTemplate, by: 'person' | 'agent', id: string, who: string) => {
    const commit = role.source === 'repository' ? await options.commit() : undefined;
    const read = commit === undefined ? role : { ...role, commit };
    return submit(run, id, { type: 'role.update', role: read, changedBy: by, by: who });
  };
  const remember = async (run: RunId, node: string, role: RoleTemplate): Promise<void> => {
    const { state } = await states.read(run);
    const before = Object.hasOwn(state.roles, role.name) ? state.roles[role.name] : undefined;
    // Words that the run has from a person are no news, whoever writes them down again.
    if (before?.text === role.text) return;
    await texts.wrote(role, { run, node, before: before ?? null });
    await noted();
  };

  return {
    async refresh(run) {
      const { state, seq } = await states.read(run);
      // While an agent may write where templates stand, nobody can tell whose edit it is: its diff will say.
      if (guard('role.unattributed', await isWritten(states, run, acts))) return;
      const { last, known } = await seenOf(run);
      const folder = await lookForRoles(project);
      for (const name of new Set([...namesWith(folder), ...Object.keys(state.roles)])) {
        const read = await readRole(project, name, folder);
        if (!read.ok || last.get(name) === read.value.text) continue;
        const loaded = parseRole(name, read.value);
        // A template that does not parse is no template: the last good one stays.
        if (!loaded.ok) continue;
        const { text } = loaded.value;
        const isNews = last.has(name) || !known.get(name)?.has(text);
        last.set(name, text);
        if (!isNews) continue;
        const id = `role ${name} ${digest(text)} ${seq}`;
        const written = await texts.find(loaded.value);
        if (written === undefined) await update(run, loaded.value, 'person', id, 'repository');
        else if (written.state === 'proposed') await update(run, loaded.value, 'agent', id, written.node);
      }
    },
    forget: (run) => void seen.delete(run),
    async ask(run, withheld) {
      for (const { role, text } of withheld) {
        (await seenOf(run)).last.set(role.name, role.text);
        await update(run, role, 'agent', `start/role/${role.name}`, text.node);
      }
    },
    async atWork() {
      const found: TeamState['roles'][] = [];
      for (const run of await states.busy()) {
        const { state } = await states.read(run);
        if (isWriting(state, acts)) found.push(state.roles);
      }
      return found;
    },
    async propose(run, { effect, node, files, source, shared }) {
      const isUnknown = files === 'unknown';
      const all = isUnknown && shared ? await findRoles(source) : [];
      const names = isUnknown ? all : files.flatMap((file) => roleOfFile(file) ?? []);
      for (const name of names) {
        const loaded = await loadRole(source, name);
        if (!loaded.ok) continue;
        // Known before anybody is asked: whatever happens in between, no run takes it for a person's.
        if (shared) await remember(run, node, loaded.value);
        const runs = shared ? new Set([run, ...(await states.active())]) : [run];
        for (const each of runs) {
          if (shared) (await seenOf(each)).last.set(name, loaded.value.text);
          await update(each, loaded.value, 'agent', `${effect}/role/${name}`, node);
        }
      }
    },
  };
}

type Acts = RolesOptions['acts'];

/** Whether an agent is at work in the project's folder and may write there. */
async function isWritten(states: RolesOptions['states'], run: RunId, acts: Acts): Promise<boolean> {
  if (isWriting((await states.read(run)).state, acts)) return true;
  for (const each of await states.busy())
    if (each !== run && isWriting((await states.read(each)).state, acts)) return true;
  return false;
}

const isWriting = (state: TeamState, acts: Acts): boolean =>
  nodesOf(state).some(({ node, work }) => {
    if (work === null || work.diff !== null || node.workspace !== 'shared') return false;
    return mayTouch(node, work.globalMode, acts(node.provider));
  });

/** What is known of the templates that one run uses. */
interface Seen {
  /** What was last seen of each in the project, by this process. */
  readonly last: Map<string, string>;
  /** Every text that the log has had: one that stands in the project when a process begins is no news. */
  readonly known: ReadonlyMap<string, ReadonlySet<string>>;
}

async function knownTexts(store: Pick<Store, 'read'>, run: RunId): Promise<Seen['known']> {
  const texts = new Map<string, Set<string>>();
  for await (const { type, data } of eventsOf(store, run)) {
    if (type !== 'role.adopted' && type !== 'role.proposed') continue;
    const { role } = data as unknown as { readonly role: RoleTemplate };
    texts.set(role.name, (texts.get(role.name) ?? new Set()).add(role.text));
  }
  return texts;
}
