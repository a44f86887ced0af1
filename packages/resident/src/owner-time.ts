import { dayIn, isTimeZone } from '@cuebook/bundle';

/** `20261115` as `2026-11-15`. */
export const spelledDay = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`;

/** The day and the hour of a moment in the owner's zone. */
export function ownerTime(now: number, zone: string): { readonly day: string; readonly hour: number } {
  const options = { hour: '2-digit', hourCycle: 'h23', timeZone: isTimeZone(zone) ? zone : 'UTC' } as const;
  const hour = Number(new Intl.DateTimeFormat('en', options).format(now));
  return { day: dayIn(zone, now), hour };
}
