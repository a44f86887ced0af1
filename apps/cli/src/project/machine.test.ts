import { describe, expect, it } from 'vitest';
import { configuredPath, projectContext } from './leak-context.js';
import { environmentCredentials, machineContext } from './machine.js';

describe('credentials in the environment', () => {
  it.each([
    ['OPENAI_API_KEY', 'abc-12345678', true],
    ['github_token', 'Zx81Qp09', true],
    ['DB_PASSWORD', 'correcthorsebattery', true],
    ['NPM_AUTH_TOKEN', 'aaaaBBBB', true],
    ['KEYBOARD_LAYOUT', 'abc-12345678', false],
    ['TOKENIZER', 'abc-12345678', false],
    ['API_KEY', 'short-1', false],
    ['TOKEN_MODE', 'disabled', false],
    ['SSH_KEY', '/etc/keys/id_ed25519', false],
    ['TOKEN_URL', 'https://login.example.com/token', false],
    ['PATH', '/usr/bin:/bin-12345', false],
  ])('%s=%s counts: %s', (name, value, counts) => {
    expect(environmentCredentials({ [name]: value })).toEqual(counts ? [value] : []);
  });
});

describe('what is private here', () => {
  const machine = { home: '/home/sam', temp: ['/tmp', '/tmp/'], names: ['sam', 'sam'], env: {} };

  it('is the home, the temporary folders, the names; the project has its alias', () => {
    expect(machineContext(machine, '/srv/desk')).toEqual({
      roots: [['@project', '/srv/desk']],
      private: ['/home/sam', '/tmp'],
      names: ['sam'],
      credentials: [],
    });
  });

  it('is never the top of the disk', () => {
    expect(machineContext({ ...machine, home: '/' }, '/')).toMatchObject({ roots: [], private: ['/tmp'] });
  });

  it('grows by what the project says', () => {
    const config = {
      roots: { '@data': '../data' },
      private: ['~/vault'],
      names: ['Ada'],
      public: ['/home/sandbox'],
    };
    const folders = { project: '/srv/desk', home: '/home/sam' };
    expect(projectContext(machineContext(machine, '/srv/desk'), config, folders)).toMatchObject({
      roots: [
        ['@project', '/srv/desk'],
        ['@data', '/srv/data'],
      ],
      private: ['/home/sam', '/tmp', '/home/sam/vault'],
      names: ['sam', 'Ada'],
      public: ['/home/sandbox'],
    });
    expect(configuredPath('C:\\Users\\sam', folders)).toBe('C:\\Users\\sam');
    expect(configuredPath('\\\\HOST\\share', folders)).toBe('\\\\HOST\\share');
  });
});
