import { pathToFileURL } from 'node:url';
import { createDefineProfiles, type KeptProject, type LiveProject } from '@cuebook/define';
import { inProcess } from '@cuebook/engine';
import { describeFileError, openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import {
  diagnosed,
  type Ground,
  type HostError,
  type Opening,
  type OpenRun,
  openLogins,
  openRunVoices,
  openVault,
  type RunVoices,
  refusalError,
  refuse,
  type StartCall,
} from '@cuebook/host';
import { type Diagnostic, fail, hasErrors, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { type AnswerTool, answeredServers, NO_SERVERS, type Servers } from '@cuebook/provider/servers';
import { z } from 'zod';
import { hasPrice } from '../drive/price.js';
import { describeUnopened } from '../env/unopened.js';
import { openRunProject, type RunProject } from '../run-project.js';
import { openServers } from '../servers.js';
import { withSolo } from '../solo.js';
import { createThreads, type Threads } from '../threads.js';
import { threadKind } from './work-kind.js';

/** What only a thread is started with. */
const optionsSchema = z.strictObject({
  env: z.record(z.string(), z.string()).optional(),
  accountEnv: z.record(z.string(), z.string()).optional(),
  instanceEnv: z.record(z.string(), z.string()).optional(),
  attachments: z.array(z.string().min(1).max(1_000)).max(100).optional(),
});

/** What whoever begins a thread, or goes on with one, has at hand. */
export interface HandedThread {
  /** The project as it was read and checked for a thread that begins. */
  readonly now?: KeptProject | undefined;
  /** The project, open and checked, in place of all that: whoever hands it in closes it. */
  readonly live?: LiveProject | undefined;
  /** Who speaks in several threads, so that a script goes on from one to the next. */
  readonly voices?: RunVoices | undefined;
  /** Variables that are set anew in a thread that has begun: once, when it is opened. */
  readonly env?: Partial<
    Readonly<Record<'thread' | 'account' | 'instance', Readonly<Record<string, string>>>>
  >;
}

/** Opens the definitions of a project for one thread. With `answer` no tool is run: it says what each of them says. */
export async function openThreadRun(
  { run, call, ground, start }: Opening,
  { answer, handed = {} }: { readonly answer?: AnswerTool; readonly handed?: HandedThread | undefined } = {},
): Promise<Result<OpenRun, HostError>> {
  const of = targetOf(call.target);
  if (of === undefined) return refuse('invalid', 'E_TARGET', 'Write agent:NAME or prompt:NAME.');
  const voices = handed.voices ? ok(handed.voices) : openRunVoices(ground.providers, call);
  if (!voices.ok) return voices;
  const isChecked = start === undefined || handed.now !== undefined || handed.live !== undefined;
  const checked = isChecked ? ok([]) : await checkTarget(ground, of);
  if (!checked.ok) return checked;
  const vault = await openVault(ground.home);
  if (!vault.ok) return refuse('unavailable', vault.error.code, 'The key of threads cannot be used.');
  // What a person attaches is theirs to choose; threads withhold from models what models name.
  const files = await openFolder(ground.folder, { access: 'ro' });
  if (!files.ok)
    return refuse('unavailable', files.error.code, `The project: ${describeFileError(files.error)}`);
  const { store, files: project } = ground;
  const given = handed.live && ok<RunProject>({ live: { ...handed.live, close: async () => undefined } });
  const opened =
    given ?? (await openRunProject({ run, store, project, folder: folderUrl(ground), now: handed.now }));
  if (!opened.ok) return opened;
  const { live: own, entry } = opened.value;
  const live = answer === undefined ? own : answeredProject(own, answer);
  const reached = await openServers(
    { catalog: live.catalog, files: project },
    {
      ...{ env: ground.providers.env, cwd: ground.folder, redactor: ground.redactor },
      logins: openLogins(async () => ground.home),
    },
  );
  if (!reached.ok) {
    await live.close();
    return diagnosed(reached.error);
  }
  const isAnswered = answer !== undefined && reached.value !== NO_SERVERS;
  const servers = isAnswered ? answeredServers(reached.value, answer) : reached.value;
  for (const problem of servers.problems) ground.onProblem(problem, { run });
  const threads = createThreads({
    live: of.kind === 'prompt' ? soloProject(live, of.name) : live,
    entry,
    servers,
    store,
    signer: ground.signer,
    vault: vault.value,
    files: files.value,
    folder: ground.folder,
    home: ground.homeFolder,
    provider: ({ provider }) => heard(withModel(voices.value, provider), ground),
    priced: [...live.catalog.models.values()].every(
      ({ data }) => hasPrice(data) || voices.value.isPriced(data.model),
    ),
    context: ground.context,
    kind: threadKind(run),
    clock: ground.clock,
    owner: ground.owner,
    work: inProcess({ whenHeld: 'refuse', leaseMs: ground.leaseMs }),
    publish: ({ frame, effect, prompt: name, event }) =>
      ground.publish({ run, node: frame, name, effect }, event),
    ...(ground.fault === undefined ? {} : { fault: ground.fault }),
  });
  const opening = openRun({ run, of, threads, live, servers, diagnostics: checked.value });
  const layers = Object.entries(handed.env ?? {}) as readonly [Layer, Readonly<Record<string, string>>][];
  const anew = new Set(layers.flatMap(([, values]) => Object.keys(values)));
  const sealed = start === undefined ? await threads.unopened(run) : [];
  const unopened = sealed.filter((name) => !anew.has(name));
  if (guard('thread.unopened', unopened.length > 0)) {
    await opening.close({ running: 'abort' });
    return refuse('unavailable', 'E_SECRET_SEAL', describeUnopened(unopened));
  }
  for (const [layer, values] of layers) {
    const set = hosted(await threads.setEnv(run, layer, values));
    if (set.ok) continue;
    await opening.close({ running: 'abort' });
    return set;
  }
  return ok(opening);
}

type Layer = keyof NonNullable<HandedThread['env']>;

const answeredProject = (live: LiveProject, answer: AnswerTool): LiveProject => ({
  ...live,
  callTool: async ({ tool, args }) => ({ kind: 'success', text: answer(tool, args), attachments: [] }),
});

interface Of {
  readonly kind: 'agent' | 'prompt';
  readonly name: string;
}

export function targetOf(target: string): Of | undefined {
  const [, kind, name] = /^(agent|prompt):([\s\S]+)$/.exec(target) ?? [];
  return kind === undefined || name === undefined ? undefined : { kind: kind as Of['kind'], name };
}

/** Where the code of the definitions finds its packages. */
export const folderUrl = ({ folder, packages = folder }: Ground): string =>
  pathToFileURL(`${packages}/`).href;

/** What is wrong with the definitions that the target reaches. */
export async function checkTarget(
  ground: Ground,
  { kind, name }: Of,
): Promise<Result<readonly Diagnostic[], HostError>> {
  const profile = createDefineProfiles({ folder: folderUrl(ground) })[kind];
  const loaded = await profile.load(ground.files, name);
  if (!loaded.ok) return diagnosed(loaded.diagnostics);
  // A variable that is open in the definitions is handed in.
  const problems = loaded.value.problems.filter(({ code }) => code !== 'W_VARIABLE_OPEN');
  return hasErrors(problems) ? diagnosed(problems) : ok(problems);
}

/** The project with an agent that is one prompt and nothing else. */
export function soloProject(live: LiveProject, name: string): LiveProject {
  const prompt = live.catalog.prompts.get(name);
  return prompt === undefined ? live : { ...live, catalog: withSolo(live.catalog, prompt) };
}

/** A model that the call names speaks for every model of the definitions. */
function withModel({ find, model }: RunVoices, own: string): ReturnType<RunVoices['find']> {
  const found = find(own);
  if (!found.ok || model === undefined) return found;
  const provider = found.value;
  return ok({ ...provider, open: (options) => provider.open({ ...options, model }) });
}

/** For a caller that writes down what is sent. */
function heard(found: ReturnType<RunVoices['find']>, { overhear }: Ground): ReturnType<RunVoices['find']> {
  if (!found.ok || overhear === undefined) return found;
  const provider = found.value;
  return ok({ ...provider, open: (options) => overhear(provider.open(options)) });
}

interface Opened {
  readonly run: Opening['run'];
  readonly of: Of;
  readonly threads: Threads;
  readonly live: LiveProject;
  readonly servers: Servers;
  readonly diagnostics: readonly Diagnostic[];
}

function openRun({ run, of, threads, live, servers, diagnostics }: Opened): OpenRun {
  let closed: Promise<void> | undefined;
  return {
    diagnostics,
    async begin(call: StartCall, id) {
      const options = optionsSchema.safeParse(call.options ?? {});
      if (!options.success)
        return refuse(
          'invalid',
          'E_INPUT',
          `options: ${options.error.issues[0]?.message ?? 'do not fit a thread'}`,
        );
      const { attachments, ...layers } = options.data;
      const { provider, model, script, scriptFile } = call;
      // The words of a script are in the note of the run: the log names the file of one that lies in the project.
      const isUnnamed = script !== undefined && scriptFile === undefined;
      const voice = provider ?? (isUnnamed ? 'rehearsal' : undefined);
      const begun = await threads.start({
        run,
        id,
        by: call.by,
        agent: of.kind === 'agent' ? of.name : `prompt:${of.name}`,
        call: {
          ...(voice === undefined ? {} : { provider: voice }),
          ...(model === undefined ? {} : { model }),
          ...(scriptFile === undefined ? {} : { script: scriptFile }),
        },
        ...(call.input === undefined ? {} : { text: call.input }),
        ...(attachments === undefined ? {} : { attachments }),
        ...(call.budget === undefined ? {} : { budget: call.budget }),
        ...(layers.env === undefined ? {} : { env: layers.env }),
        ...(layers.accountEnv === undefined ? {} : { accountEnv: layers.accountEnv }),
        ...(layers.instanceEnv === undefined ? {} : { instanceEnv: layers.instanceEnv }),
      });
      return hosted(begun);
    },
    async tell(word, { id, by }) {
      switch (word.type) {
        case 'say': {
          const { text, attachments } = word;
          return hosted(await threads.say(run, { id, text, ...(attachments && { attachments }) }, by));
        }
        case 'approve': {
          const { type: _type, ...given } = word;
          return hosted(await threads.answer(run, { id, by, ...given }));
        }
        case 'settle':
          return hosted(await threads.resolve(run, word.effect, word.outcome, id));
        case 'raise':
          return hosted(await threads.raise(run, word.to, by, id));
        case 'resume':
          return hosted(await threads.resume(run, by, id));
        case 'interrupt':
        case 'stop':
          return hosted(await threads.stop(run, by, id));
        default:
          return refuse('invalid', 'E_WORD_UNKNOWN', `A thread takes no ${word.type}.`);
      }
    },
    isMoved: () => threads.isMoved(run),
    take: () => threads.take(),
    drain: () => threads.drain(),
    close({ running }) {
      closed ??= threads
        .close({ running })
        .then(() => servers.close())
        .then(() => live.close());
      return closed;
    },
  };
}

const hosted = (
  done: Result<JsonValue, { readonly code: string; readonly message: string }>,
): Result<JsonValue, HostError> => (done.ok ? done : fail(refusalError(done.error)));
