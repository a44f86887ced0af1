/** A time zone in which it is morning now: whatever the clock says, nothing that belongs to an evening is due. */
export function morningZone(now: Date = new Date()): string {
  const offset = 8 - now.getUTCHours();
  const east = offset < -12 ? offset + 24 : offset;
  // These zones are named by the hours that are behind them.
  return `Etc/GMT${east > 0 ? `-${east}` : `+${-east}`}`;
}
