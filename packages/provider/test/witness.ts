import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program that stands before another one and writes down its command line and its standard input. */
export interface Witness {
  readonly command: string;
  /** Everything that was told, each command line as a line of JSON. */
  heard(): string;
}

export function placeWitness(folder: string, program: string): Witness {
  mkdirSync(folder, { recursive: true });
  const command = join(folder, 'witness');
  const log = join(folder, 'witness.log');
  writeFileSync(command, source(program, log));
  chmodSync(command, 0o755);
  return { command, heard: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') };
}

const source = (program: string, log: string): string => `#!${process.execPath}
const { spawn } = require('node:child_process');
const { appendFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync(${JSON.stringify(log)}, JSON.stringify(args) + '\\n');
const child = spawn(${JSON.stringify(program)}, args, { stdio: ['pipe', 'inherit', 'inherit'] });
process.stdin.on('data', (bytes) => {
  appendFileSync(${JSON.stringify(log)}, bytes);
  child.stdin.write(bytes);
});
process.stdin.on('end', () => child.stdin.end());
child.stdin.on('error', () => {});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('error', () => process.exit(127));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 143 : 1)));
`;
