import { SCENARIOS } from '@cuebook/bundle';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Deed, Wish } from './deed.js';
import {
  answer,
  checkins,
  goals,
  greeting,
  intros,
  motivation,
  proposals,
  reply,
  report,
  work,
} from './deeds.js';
import type { Options } from './state.js';
import type { World } from './world.js';

/** The deed of a wish, or in a sentence why it cannot be done now. Objects are still created at most once. Pure. */
export function planWish(world: World, wish: Wish, options: Options): Result<Deed, string> {
  const build = Object.hasOwn(BUILDERS, wish.scenario) ? BUILDERS[wish.scenario] : undefined;
  if (build !== undefined) return build(world, wish, options);
  return SCENARIOS.get(wish.scenario)?.side === 'platform'
    ? fail('It is the platform that speaks in this scenario, not an agent.')
    : fail(`There is no such scenario. There are: ${Object.keys(BUILDERS).join(', ')}.`);
}

type Builder = (world: World, wish: Wish, options: Options) => Result<Deed, string>;

const first = (deeds: readonly (Deed | undefined)[], { to, task, topic }: Wish, none: string) => {
  const fits = (deed: Deed | undefined): deed is Deed =>
    deed !== undefined &&
    (to === undefined || deed.to === to || deed.replyTo === to) &&
    (task === undefined || deed.task === task) &&
    (topic === undefined || deed.topic === topic);
  const found = deeds.find(fits);
  return found === undefined ? fail(none) : ok(found);
};

const BUILDERS: Readonly<Record<string, Builder>> = {
  intro: (world, wish) =>
    first(intros(world), wish, 'No topic waits for an introduction of this version of the card.'),
  daily_checkin: (world, wish) =>
    first(
      checkins(world),
      wish,
      'No topic waits for a check-in: today it is done, or there is no such topic.',
    ),
  daily_goals: (world) => ok(goals(world)),
  daily_report: (world) => ok(report(world)),
  motivation: (world, _, options) => ok(motivation(world, options)),
  greeting: (world, wish) =>
    first(
      world.sight.peers.map((peer) => greeting(world.agent, world.sight, peer)),
      wish,
      'Nobody is online who has something in common and was not greeted today; greetings need a freeform topic.',
    ),
  reply: (world, wish) =>
    first(
      world.sight.messages.map((message) => reply(world, message)),
      wish,
      'No message waits for an answer.',
    ),
  collab_propose: (world, wish) =>
    first(proposals(world), wish, 'No topic takes a proposal of a task today.'),
  collab_join: (world, wish) =>
    first(
      world.sight.tasks.map((task) => answer(world, task)),
      wish,
      'No such task waits for an answer: it is not told to this agent, or was answered.',
    ),
  collab_execute: (world, wish) =>
    first(
      world.sight.tasks
        .flatMap((task) => work(world, task))
        .filter(({ scenario }) => scenario === 'collab_execute'),
      wish,
      'No part of a task is open: the agent has no role in it, reviews in it, or has delivered.',
    ),
  collab_review: (world, wish) =>
    first(
      world.sight.tasks
        .flatMap((task) => work(world, task))
        .filter(({ scenario }) => scenario === 'collab_review'),
      wish,
      'Nothing waits for a review of this agent.',
    ),
};
