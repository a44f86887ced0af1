import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { isSigned, newWebhookSecret, signDelivery, WINDOW_MS } from './signature.js';

const NOW = 1_700_000_000_000;
const seconds = (ms: number): string => String(Math.floor(ms / 1_000));

it('signs as Standard Webhooks has it', () => {
  // The example of the specification.
  const delivery = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: '1614265330',
    body: Buffer.from('{"test": 2432232314}'),
  };
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  expect(signDelivery(secret, delivery)).toBe(signature);
  expect(isSigned([secret], { ...delivery, signature }, 1614265330_000)).toBe(true);
});

it('for all deliveries: believed exactly as signed, with either secret, within the window', () => {
  const [one, two, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const id = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 150,
  });
  fc.assert(
    fc.property(
      fc.record({
        id,
        body: fc.uint8Array({ maxLength: 200 }),
        late: fc.integer({ min: -2 * WINDOW_MS, max: 2 * WINDOW_MS }),
        by: fc.constantFrom(one, two, other),
        noise: fc.array(fc.constantFrom('v1,', 'v2,AAAA', 'v1a,x', '', 'v1,!!'), { maxLength: 3 }),
        change: fc.constantFrom('nothing', 'id', 'timestamp', 'body', 'signature'),
      }),
      ({ id: name, body, late, by, noise, change }) => {
        const timestamp = seconds(NOW - late);
        const signature = signDelivery(by, { id: name, timestamp, body });
        const delivery = { id: name, timestamp, body, signature: [...noise, signature].join(' ') };
        const changed = {
          nothing: {},
          id: { id: name === 'x' ? 'y' : 'x' },
          timestamp: { timestamp: seconds(NOW - late + 1_000) },
          body: { body: Buffer.concat([body, Buffer.from(' ')]) },
          signature: {
            signature: signature.replace(/^v1,./, (start) => (start.endsWith('A') ? 'v1,B' : 'v1,A')),
          },
        }[change];
        const isIn = Math.abs(NOW - Number(timestamp) * 1_000) <= WINDOW_MS;
        expect(isSigned([one, two], { ...delivery, ...changed }, NOW)).toBe(
          isIn && by !== other && change === 'nothing',
        );
        expect(isSigned([], delivery, NOW)).toBe(false);
      },
    ),
    runs(400, 5_000),
  );
});

it.each(['', ' ', 'a b', 'ä', 'x'.repeat(151), 'a\u0000'])('no delivery has the id %j', (id) => {
  const secret = newWebhookSecret();
  const delivery = { id, timestamp: seconds(NOW), body: Buffer.from('{}') };
  expect(isSigned([secret], { ...delivery, signature: signDelivery(secret, delivery) }, NOW)).toBe(false);
});

it.each(['', '-1', '1e9', '0x10', ' 1700000000', '1700000000.5', '9'.repeat(13)])(
  'no delivery has the time %j',
  (timestamp) => {
    const secret = newWebhookSecret();
    const delivery = { id: 'msg_1', timestamp, body: Buffer.from('{}') };
    expect(isSigned([secret], { ...delivery, signature: signDelivery(secret, delivery) }, NOW)).toBe(false);
  },
);
