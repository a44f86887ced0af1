import { type Mutant, rows } from './rows.js';

/** The guards of `packages/engine`. */
export const ENGINE_MUTANTS: readonly Mutant[] = [
  {
    guard: 'lane.may-begin',
    package: 'packages/engine',
    file: 'packages/thread/test/kind.test.ts',
    test: 'moved while a turn is under way, ends that turn with the old sources and goes on with the new ones',
  },
  ...rows('packages/engine', 'src/loop/newer.test.ts', {
    'run.newer':
      'an event that only a newer version knows: nothing is decided or begun, all is said by name, and the newer one goes on',
    'lane.newer':
      'an effect that only a newer version can do is left to it where others may work, never failed and never asked about',
  }),
  ...rows('packages/engine', 'src/loop/engine.test.ts', {
    'command.id': 'an empty id is not taken',
    'command.reserved': 'an id of the engine is not taken',
    'command.refresh': 'a refusal counts on the newest state only',
    'command.repeat': 'a command that was done is answered again when it would be refused by now',
    'decision.forged': 'a machine cannot write a mark',
    'decision.twice': 'a machine cannot intend an effect under the id of an open one',
  }),
  ...rows('packages/engine', 'src/loop/decide.test.ts', {
    'settle.open': 'an outcome is written once: a second one, of whomever, is refused',
  }),
  ...rows('packages/engine', 'src/standing/standing.test.ts', {
    'standing.size': 'a row is small whatever the run is about, and says the same of the same standing',
  }),
  ...rows('packages/engine', 'src/timer/timer.test.ts', {
    'fire.open': 'that was cleared does not fire',
  }),
  ...rows('packages/engine', 'src/effect/lane.test.ts', {
    'resolve.asked': 'who was not asked cannot settle what a driver does',
    'lane.again': 'work that comes to a busy lane waits for its turn',
    'recover.begun': 'is asked only where nobody else can know, and answers once',
    'recover.person': 'is asked only where nobody else can know, and answers once',
    'recover.unknown': 'is asked when the world does not know',
  }),
  ...rows('packages/engine', 'src/work/in-process.test.ts', {
    'lane.fence': 'is told so, and its late outcome is refused and harmless',
    'lease.lost': 'is lost when somebody else has it',
    'work.held': 'a second one refuses to start if it was told to',
  }),
  ...rows('packages/engine', 'src/work/leap.test.ts', {
    'timer.length':
      'a timer that was set before the clock was set back waits for as long as it was set for, and no longer',
  }),
  ...rows('packages/engine', 'src/effect/perform.test.ts', {
    'lane.stop': 'a stop that waits takes the outcome; nothing more is begun',
    'effect.timeout': 'an effect past its time is told to end, and fails when it does not',
    'effect.output': 'a cycle becomes a failing one',
    'effect.away': 'is no outcome: the effect stays open, and is done when the journal is back (connection)',
    'observe.away': 'is no doubt either: nobody is asked what the driver can say later',
    'effect.stopped':
      'a stop that ends what runs leaves it open, and the next process settles it by its policy',
  }),
  ...rows('packages/engine', 'src/recover/recover.test.ts', {
    'recover.asked': 'asked: wait',
    'recover.done': 'begun, the world says done: settle',
  }),
  ...rows('packages/engine', 'src/effect/lane.test.ts', {
    'lane.part': 'a lane below one that runs needs no place of its own: what waits for it is not in its way',
  }),
  ...rows('packages/engine', 'src/tool-loop/plan.test.ts', {
    'tool.too-many': 'every call past the limit of an answer',
    'tool.duplicate': 'the second of two calls with one id',
    'tool.not-json': 'arguments that are not JSON',
    'tool.input': 'arguments that do not fit',
    'tool.denied': 'a tool that is denied',
    'tool.ask': 'a tool that asks waits for a person, unless one has allowed it for the run',
    'tool.not-allowed': 'a tool that is not in the policy',
  }),
  ...rows('packages/engine', 'src/conversation/condense.test.ts', {
    'history.room':
      'two large results in a small room: the older by reference, the newer cut, the question kept',
  }),
  ...rows('packages/engine', 'src/tool-loop/result.test.ts', {
    'tool.result-size': 'a result past the bound is cut, and says how long it was',
  }),
  ...rows('packages/engine', 'src/tool-loop/calls.test.ts', {
    'tool.one-result': 'a second outcome changes nothing',
    'tool.in-order': 'a call in order waits for the parallel ones before it',
    'tool.barrier': 'the calls behind one in order wait for it',
    'tool.parallel-limit': 'no more than the limit run at once',
  }),
  ...rows('packages/engine', 'src/approval/approval.test.ts', {
    'approval.resolved': 'that was answered before is another error, which says how',
    'approval.changed-input': 'a changed input is checked again',
    'approval.expire': 'expires by its timer, once',
    'approval.claimed': 'asked in the same words twice is two approvals in one try',
    'approval.anew': 'that an earlier try was given is not asked for again by one that begins anew',
  }),
  ...rows('packages/engine', 'src/budget/budget.test.ts', {
    'budget.finite': 'a limit of infinity is refused',
    'budget.unpriced': 'in money are refused for a model without a price',
    'budget.unknown': 'that nobody opened has no room',
    'budget.exhausted': 'counts what is in flight as spent',
    'budget.raise': 'is not raised by lower than it is',
    'budget.most':
      'is never more than limits around the run leave, whatever is given or raised, and money without a price stays left out',
  }),
  ...rows('packages/engine', 'src/stall/stall.test.ts', {
    'stall.repeat': 'the same words three times',
    'stall.quiet': 'two files that are read in turn',
    'stall.output': 'the same words over calls that bring nothing',
    'stall.poll': 'has its own bound',
    'stall.progress': 'the next page, written with the same answer is no stall',
  }),
  ...rows('packages/engine', 'src/stall/long-runs.test.ts', {
    'stall.change': 'tests, build, lint and status after each edit',
    'stall.tick': 'a number of looks',
    'stall.pause': 'retries whose pauses grow, and then it works',
    'stall.share': 'a poll that tells percents',
    'stall.unknown-act': 'an act of an agent whose arguments nobody knows, and that counts',
    'stall.blind': 'a counter in the arguments of a tool whose changes nobody sees',
    'stall.found': 'a search that finds nothing, for ever',
    'stall.named': 'a search day by day that finds nothing',
    'stall.probe': 'ports that refuse',
    'stall.count': 'a counter without an end',
    'stall.comment': 'a command that differs in other words, arguments',
  }),
  ...rows('packages/engine', 'src/stall/news.test.ts', {
    'stall.act': 'any cycle up to the longest stalls, whatever numbers, times and ids its answers have',
  }),
  ...rows('packages/engine', 'src/conversation/conversation.test.ts', {
    'agent.start': 'is started once, and nothing goes before that',
    'agent.busy': 'never has two turns in flight',
    'agent.retries': 'asks again with a note, twice, and then fails',
    'agent.stopped': 'in mid-loop answers every call, and begins none',
    'agent.paused': 'of what is at rest changes nothing',
  }),
  ...rows('packages/engine', 'src/conversation/fallback.test.ts', {
    'model.fallback': 'the next one after a failure',
  }),
  ...rows('packages/engine', 'src/conversation/waiting.test.ts', {
    'agent.native': 'has no say outside of its turn',
    'approval.grant-kind': 'a grant for an act of the agent covers no tool of ours that is called so',
    'approval.grant-claimed':
      'for an act that only its own words name is refused, and one for another act does not cover it',
    'approval.claimed-grant':
      'for an act that only its own words name is refused, and one for another act does not cover it',
  }),
  ...rows('packages/engine', 'src/conversation/turn-driver.test.ts', {
    'driver.record': 'without a receipt nothing is sent',
    'driver.left': 'the engine leaves a repeatable turn open, and another process does it again',
  }),
  ...rows('packages/engine', 'src/conversation/turn/one-commit.test.ts', {
    'lane.late':
      'share a commit with the mark and with the outcome of its effect: three commits from question to answer',
    'lane.asks':
      'stand by themselves where a crash is looked into: what was heard is on record before anything is decided on it',
    'lane.refused':
      'are not written, and nothing is sent, where the run does not let its effect begin any more',
  }),
  ...rows('packages/engine', 'src/conversation/turn/receipts.test.ts', {
    'receipt.renewed':
      'a receipt that was fenced off is written when the lease still stands, once, and for no other reason',
  }),
  ...rows('packages/engine', 'src/conversation/turn/collect.test.ts', {
    'driver.calls': 'more calls than a turn may make are not kept',
    'driver.text': 'more words than a turn may keep are cut, and it says so',
  }),
  ...rows('packages/engine', 'src/seal/seal.test.ts', {
    'seal.log': 'known credentials are sealed like those that look like one',
    'seal.forged':
      'a mark in words from outside opens nothing, whoever writes it, and a person who answers may leave it where it is',
    'seal.echo': 'a mark that a driver answers with opens nothing either',
  }),
  ...rows('packages/engine', 'src/conversation/turn/live-turn.test.ts', {
    'seal.live':
      'a credential is never told, in words, thoughts, arguments or anything else, however it is cut',
    'seal.receipt': 'what the receipt of a turn keeps holds no credential: words, thoughts, calls, errors',
  }),
];
