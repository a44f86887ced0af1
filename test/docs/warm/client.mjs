#!/usr/bin/env node
// @ts-check
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

// `cuebook` of a desk: hands the call to the process that has the command loaded, and does as it says.

const socket = connect(process.env.CUEBOOK_WARM ?? '');
const tell = (/** @type {object} */ message) => void socket.write(`${JSON.stringify(message)}\n`);
let waits = false;
let isStopped = false;

for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])) {
  process.on(signal, () => {
    if (isStopped || !waits) process.exit(code);
    isStopped = true;
    tell({ stop: true });
  });
}
process.stdout.on('error', () => process.exit(0));
socket.on('error', () => process.exit(70));
tell({ args: process.argv.slice(2), cwd: process.cwd(), env: process.env });
createInterface({ input: socket }).on('line', (line) => {
  const told = JSON.parse(line);
  if (told.out !== undefined) process.stdout.write(told.out);
  if (told.err !== undefined) process.stderr.write(told.err);
  if (told.waits) waits = true;
  if (told.reads) {
    process.stdin.on('data', (bytes) => tell({ input: bytes.toString('base64') }));
    process.stdin.on('end', () => tell({ end: true }));
  }
  if (told.code !== undefined) {
    process.exitCode = told.code;
    process.stdin.destroy();
    socket.end();
  }
});
