import type { Client } from '@hatchway/contract/client.ts';
import type { ToolBooks } from '@hatchway/sandbox/assets/mount.ts';

/** Connects a company to the sandbox's asset tool, as its administrator does; answers one of the tool's assets that is in. */
export async function connectTool(api: Client, origin: string): Promise<{ toolAsset: string }> {
  const { address, apiKey } = (await (await fetch(`${origin}/sandbox/assets/books`)).json()) as ToolBooks;
  const body = { settings: { url: address }, secrets: { apiKey } };
  const { _id } = await api('POST /integrations/{kind}', { params: { kind: 'tcm' }, body });
  await api('POST /integrations/{kind}/{_id}/test', { params: { kind: 'tcm', _id }, body: {} });
  const [one] = await api('GET /assets', { query: { q: { source: 'tcm' }, limit: 1 } });
  if (!one) throw new Error('The asset tool told of nothing.');
  return { toolAsset: one._id };
}
