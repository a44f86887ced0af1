// @ts-check
// Imported first by every script: it stops with a sentence where newer syntax or a missing built-in
// would stop with a stack trace.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Cuebook needs Node 20.19 or later; this is Node ${process.versions.node}.`);
  console.error('Install a current Node (https://nodejs.org) and run the same command again.');
  process.exit(3);
}

export {};
