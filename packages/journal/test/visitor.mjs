import { createRequire } from 'node:module';

// Another process that reads a journal and leaves: the last one to leave takes the files beside it away.
const Database = createRequire(import.meta.url)('libsql');
const database = new Database(process.argv[2]);
{
  const { count } = database.prepare('SELECT count(*) AS count FROM cuebook_commits').get([]);
  process.stdout.write(String(count));
}
// Statements end when they are collected, and a connection after its statements.
globalThis.gc();
await new Promise(setImmediate);
globalThis.gc();
database.close();
