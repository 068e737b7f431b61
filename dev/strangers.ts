import pg from 'pg';

/**
 * `npm start` is for trying: its people sign in with `demo`, its mail goes to the sandbox. So it refuses a database with a company that was
 * not made under it, and asks before anything of the server runs, since jobs would begin to send what waits.
 */
export async function refuseStrangers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ there: boolean }>(`select to_regclass('public.companies') is not null as there`);
    if (!tables[0]?.there) return;
    await client.query(`select set_config('app.operator', 'on', false)`);
    // every company that is made under npm start, by its seed or by hand, says so
    const { rows: strangers } = await client.query<{ name: string }>('select name from companies where not seeded');
    if (strangers.length > 0)
      throw new Error(
        `This database holds companies that npm start did not make: ${strangers.map((company) => company.name).join(', ')}.\n` +
          'npm start is for looking and trying only. Run it in production with `npm run serve`, or begin anew with `npm start -- --fresh`.',
      );
  } finally {
    await client.end();
  }
}
