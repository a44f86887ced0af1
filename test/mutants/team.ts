import { type Mutant, rows } from './rows.js';

const DECIDED =
  'is decided by the node, the mode, the role and the operator, and what is denied is never asked';

/** The guards of `packages/team`. */
export const TEAM_MUTANTS: readonly Mutant[] = [
  ...rows('packages/team', 'src/drive/voices.test.ts', {
    'voices.speaks':
      'who may not be spoken with is not there: not by name, not in the list, and not to be spawned with',
  }),
  ...rows('packages/team', 'src/run/memory.test.ts', {
    'memory.room': 'condensing reaches any room that holds the newest turn cut short, and keeps that turn',
    'memory.input': 'condensing reaches any room that holds the newest turn cut short, and keeps that turn',
  }),
  ...rows('packages/team', 'src/role/role.test.ts', {
    'role.name': 'the name "../secret" is refused before any file is looked at',
    'role.unknown': 'a name that nobody has is an error that says what was meant',
    'role.declared-name': 'reports every problem at once, each with its line',
  }),
  ...rows('packages/team', 'src/profile/profile.test.ts', {
    'file.alias': 'two equal aliases is reported with its place',
    'file.server': 'a server that nobody names is reported with its place',
    'file.workspace': 'nodes in the folders of each other is reported with its place',
  }),
  ...rows('packages/team', 'src/capability/served.test.ts', {
    'served.granted': DECIDED,
    'served.delegate': DECIDED,
    'served.planning': DECIDED,
    'served.reads': DECIDED,
    'served.asks': DECIDED,
  }),
  ...rows('packages/team', 'src/host/servers.test.ts', {
    'child.servers': 'are given to a spawned node only as far as its parent has them',
  }),
  ...rows('packages/team', 'src/call/scan.test.ts', {
    'call.fence': 'a fence is an example: backticks',
    'call.prefix': 'text before',
    'call.params': 'params',
    'call.depth': 'nested without end',
    'call.length': 'longer than any call',
    'call.output': 'a call in the output of a command is seen, data that looks alike is not',
  }),
  ...rows('packages/team', 'src/capability/native.test.ts', {
    'native.withheld': 'a file that is withheld is denied to every tool, whoever asks',
    'native.claimed':
      'in words that it wrote itself is asked about whatever the rules would allow, and denied what they forbid',
  }),
  ...rows('packages/team', 'src/capability/authorize.test.ts', {
    'spawn.template': 'a template without scope',
    'spawn.setting': 'a worker',
    'spawn.approval': 'an orchestrator whose policy asks',
    'spawn.depth': 'a node too deep',
    'spawn.count': 'a full graph',
    'edge.none': 'none',
    'edge.self': 'self, others',
    'call.native': 'a provider with tools of its own is told to use them, and the graph stays open',
    'write.planning': 'code in PLANNING',
    'write.escape': 'a command elsewhere',
    'write.code': 'writeCode=false',
    'write.docs': 'writeDocs=false',
    'write.delegate': 'delegateOnly, a document',
    'command.planning': 'a command in PLANNING',
    'command.right': 'runCommands=false',
    'finish.orchestrator': 'only the orchestrator that nobody spawned finishes',
    'review.right': 'only who leads or reviews reads the folder of another node',
  }),
  ...rows('packages/team', 'src/capability/rights.test.ts', {
    'role.constraint': 'the constraint "read_only" wins over what is declared',
    'role.declared': 'investigator has what its template declares, and no more',
    'child.clamp': 'never has more rights than its parent may hand on, at any depth',
    'access.commands': 'flags that are not asked about let nobody do more than it may: every combination',
  }),
  ...rows('packages/team', 'src/capability/access.test.ts', {
    'change.outside': 'what was changed against the rules is found, however it was done',
    'folder.acts': 'a program that acts by itself is watched in the folder of a person, whatever its rights',
  }),
  ...rows('packages/team', 'src/run/finish.test.ts', {
    'finish.failing': 'not when that check fails: whoever finished it is told, and the run goes on',
    'finish.unknown': 'not while nobody knows what a turn has changed',
    'finish.owed': 'only when the check of the last change has run, and says what it waited for',
    'finish.unchecked': 'only when changes of a turn that failed are checked',
    'turn.finishing': 'not when a person writes meanwhile',
  }),
  ...rows('packages/team', 'src/run/review.test.ts', {
    'handoff.reference': 'to an artifact is refused where the run has none, and sent where it has',
  }),
  ...rows('packages/team', 'src/run/graph.test.ts', {
    'alias.taken': 'a taken alias is answered, and nothing is made',
    'handoff.edge': 'an edge one way',
    'handoff.room': 'an inbox has a limit',
  }),
  ...rows('packages/team', 'src/graph/workspace.test.ts', {
    'workspace.circle': 'in a circle',
  }),
  ...rows('packages/team', 'src/run/folder.test.ts', {
    'turn.folder': 'is used in turns, by readers too, until all that hangs on a turn is done',
    'turn.repaired': 'passes its checks for everybody who works there',
    'spawn.shared': 'gets no folder that is the person’s and not its parent’s',
  }),
  ...rows('packages/team', 'src/run/schedule.test.ts', {
    'turn.parallel': 'nodes work side by side, as many as the run allows',
    'turn.provider': 'and as many as their provider allows',
    'turn.workspace': 'whoever shares a folder and may write takes turns, until the diff is taken',
    'turn.held': 'one node that fails does not hold up the others, and gives back what it had taken',
    'auto.quiet': 'in AUTO the orchestrator is asked again when nobody else has anything to do',
  }),
  ...rows('packages/team', 'src/run/people.test.ts', {
    'run.over': 'the orchestrator finishes: others are interrupted and waited for, nothing begins any more',
    'turn.unheard':
      'reset forgets what waits and the session; a turn in flight is paid for and not listened to',
    'role.proposed': "an agent's edit of a template counts only after approval",
  }),
  ...rows('packages/team', 'src/drive/carried-session.test.ts', {
    'session.token': 'a holder that lost the run writes over nobody',
    'session.turn': 'is not gone on with: what was kept of another session',
  }),
  ...rows('packages/team', 'src/run/approvals.test.ts', {
    'grant.spawn': 'an allowance for the rest of the run does not cover further nodes',
  }),
  ...rows('packages/team', 'src/host/planned-changes.test.ts', {
    'planned.redact': 'a secret in the file is not shown',
  }),
  ...rows('packages/team', 'src/change/tell.test.ts', {
    'planned.more': 'is nothing of a file in which words are masked: whether they stay cannot be seen',
    'planned.twice': 'is nothing where two of them may be of one file',
  }),
  ...rows('packages/team', 'src/run/safety.test.ts', {
    'run.stall': 'three equal turns hold the node, with evidence; a word of a person goes on',
    'run.cycle': 'two nodes that hand the same to and fro pause the run',
  }),
  ...rows('packages/team', 'src/host/agent-words.test.ts', {
    'role.agent':
      'are in no later run until a person allows them in one, also when the first is over and removed',
    'role.doubted': 'are in no run that begins while the agent is still at work; then its person is asked',
  }),
  ...rows('packages/team', 'src/host/roles.test.ts', {
    'role.unattributed': "an agent's edit in its shared folder waits for a person",
  }),
  ...rows('packages/team', 'src/host/restart.test.ts', {
    'turn.left': 'takes a turn again that an orderly stop cut off, and tells its node so',
  }),
  ...rows('packages/team', 'test/lost-machine.test.ts', {
    'turn.lost': 'after its answer and before its work was kept: a person is asked',
  }),
  ...rows('packages/team', 'test/cli-kill.test.ts', {
    'turn.unsent': 'before anything was sent: the turn is taken, once',
  }),
  ...rows('packages/team', 'src/host/host.test.ts', {
    'artifact.foreign': 'a context pack is kept with the run, and a handoff brings it into a prompt',
    'run.foreign': 'says no with a code and a kind, and writes nothing',
  }),
  ...rows('packages/team', 'src/run/safety.test.ts', {
    'change.unsure': 'when the diff fails the node waits for a person',
  }),
  ...rows('packages/team', 'src/drive/artifacts.test.ts', {
    'artifact.redact': 'what is kept holds no credential, and is found by the hash of what is kept',
  }),
];
