/** The day at a moment in a time zone, as `20261115`. A zone that this machine does not know is UTC. */
export function dayIn(zone: string, now: number): string {
  const parts = formatFor(zone).formatToParts(now);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}${of('month')}${of('day')}`;
}

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(zone);
  if (known !== undefined) return known;
  const options = { calendar: 'iso8601', year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = isTimeZone(zone)
    ? new Intl.DateTimeFormat('en', { ...options, timeZone: zone })
    : new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  // Zones are names of a closed list, so this stays small.
  if (isTimeZone(zone)) FORMATS.set(zone, format);
  return format;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Whether this machine knows the zone. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false; // Whatever is said about a name that is no zone, the answer is no.
  }
}
