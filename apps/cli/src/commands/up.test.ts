import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';

describe.skipIf(process.platform !== 'linux')('a second cuebook up', () => {
  it('prints the link of the first and ends well', async () => {
    const cwd = folderWith(TEMPLATE);
    const home = join(cwd, '.cuebook');
    mkdirSync(home, { mode: 0o700 });
    // As another process that serves leaves it: this one's parent stands for it.
    const token = 'a'.repeat(43);
    writeFileSync(join(home, 'server.token'), `${token}\n`, { mode: 0o600 });
    const place = { host: '127.0.0.1', port: 4711, url: 'http://127.0.0.1:4711' };
    const other = { pid: process.ppid, start: startOf(process.ppid), ...place };
    writeFileSync(join(home, 'server.json'), JSON.stringify(other), { mode: 0o600 });
    const text = await cuebook(['up'], { cwd });
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toContain(`${place.url}/#token=${token}`);
    const json = await cuebook(['up', '--port', '4712', '--json'], { cwd });
    expect(json.code).toBe(0);
    const link = `${place.url}/#token=${token}`;
    expect(JSON.parse(json.stdout)).toEqual({ url: place.url, link, pid: process.ppid, isUp: true });
  });
});

function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
