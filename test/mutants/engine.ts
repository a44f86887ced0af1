import { type Mutant, rows } from './rows.js';

/** The guards of `packages/engine`. */
export const ENGINE_MUTANTS: readonly Mutant[] = [
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
  ...rows('packages/engine', 'src/effect/perform.test.ts', {
    'lane.stop': 'a stop that waits takes the outcome; nothing more is begun',
    'effect.timeout': 'an effect past its time is told to end, and fails when it does not',
    'effect.output': 'a cycle becomes a failing one',
    'effect.stopped': 'a stop that ends what runs leaves it open, and the next process settles it by its policy',
  }),
  ...rows('packages/engine', 'src/recover/recover.test.ts', {
    'recover.asked': 'asked: wait',
    'recover.done': 'begun, the world says done: settle',
  }),
];
