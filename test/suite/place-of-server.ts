/** The place of the run's server of that name: see `SERVERS` of `servers.ts`. */
export async function placeOfServer<Place>(name: string): Promise<Place> {
  const desk = process.env.CUEBOOK_SERVERS;
  if (!desk)
    throw new Error('CUEBOOK_SERVERS is not set: this runs below vitest, with test/suite/global-setup.ts');
  const response = await fetch(`${desk}/${name}`);
  if (!response.ok) throw new Error(`${name} did not start: ${await response.text()}`);
  return (await response.json()) as Place;
}
