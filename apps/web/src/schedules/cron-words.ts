/** What the common forms of five fields mean; empty for others. */
export function cronWords(cron: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = '', more] = cron.trim().split(/\s+/);
  if (more !== undefined || month !== '*' || !/^\d{1,2}$/.test(minute)) return '';
  const past = minute.padStart(2, '0');
  if (hour === '*') return day === '*' && weekday === '*' ? `every hour at :${past}` : '';
  if (!/^\d{1,2}$/.test(hour)) return '';
  const at = `${hour.padStart(2, '0')}:${past}`;
  if (day === '*' && weekday === '*') return `every day at ${at}`;
  if (day === '*' && weekday === '1-5') return `Monday to Friday at ${at}`;
  if (day === '*' && /^[0-7]$/.test(weekday)) return `every ${DAYS[Number(weekday) % 7]} at ${at}`;
  return weekday === '*' && /^\d{1,2}$/.test(day) ? `on day ${day} of each month at ${at}` : '';
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
