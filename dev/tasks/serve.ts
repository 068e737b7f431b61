import { buildFrontends } from '../frontends.ts';

/** Production: the server alone, by the environment's word. Nothing of the sandbox is loaded, here or from here. */
export async function run(): Promise<number | undefined> {
  const { readConfig } = await import('@hatchway/server/config.ts');
  let config;
  try {
    config = readConfig(process.env);
    await buildFrontends();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
  const { startServer } = await import('@hatchway/server/main.ts');
  const server = await startServer(config);
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      void server.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  return undefined;
}
