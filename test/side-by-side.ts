/** Does a job with each item, `width` at once: for jobs that mostly wait. The first failure is the answer. */
export async function sideBySide<Item>(
  items: readonly Item[],
  width: number,
  job: (item: Item) => Promise<void>,
): Promise<void> {
  const lanes = Array.from({ length: width }, (_, lane) =>
    items.filter((_, index) => index % width === lane),
  );
  await Promise.all(
    lanes.map(async (lane) => {
      for (const item of lane) await job(item);
    }),
  );
}
