// @ts-check
// Brings a file to the newest layout, and kills itself before a statement of it, or, where there are no more, before the
// commit. Arguments: the package, the file, the number of the statement.

const [, , url = '', file = '', statement = ''] = process.argv;
const { openSqlite, SQLITE_TABLES } = await import(new URL('./sqlite/driver.js', url).href);
const { migrate } = await import(new URL('./schema/migrate.js', url).href);
const driver = await openSqlite(file, { now: Date.now, pollMs: 1_000, busyMs: 10_000 });
let left = Number(statement);
const step = () => {
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
};
/** @param {{ rows(sql: string, values?: unknown): Promise<unknown> }} session */
const dying = (session) => ({
  /** @param {string} sql @param {unknown} values */
  async rows(sql, values) {
    if (!sql.startsWith('SELECT')) step();
    return session.rows(sql, values);
  },
});
/** @param {(session: unknown) => unknown} use @param {unknown} steps */
const write = (use, steps) =>
  driver.write(
    /** @param {never} session */ async (session) => {
      const ended = await use(dying(session));
      step();
      return ended;
    },
    steps,
  );
await migrate({ ...driver, write }, SQLITE_TABLES);
