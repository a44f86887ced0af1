import type { Scheduler } from 'fast-check';

/** The same function on a way that takes its time: what it does comes after any steps of others, and so does its answer. */
export const onTheWay =
  <Args extends readonly unknown[], Answer>(order: Scheduler, act: (...args: Args) => Promise<Answer>) =>
  async (...args: Args): Promise<Answer> => {
    await order.schedule(Promise.resolve());
    return order.schedule(act(...args));
  };
