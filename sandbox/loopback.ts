/** The sandbox calls nobody but this machine. */
export const isLoopback = (hostname: string): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);

/** Posts to this machine and says the status of the answer; null where none came, or another machine was meant. */
export async function post(
  address: string,
  headers: Record<string, string>,
  body: string,
  signal = AbortSignal.timeout(60_000),
): Promise<number | null> {
  if (!URL.canParse(address) || !isLoopback(new URL(address).hostname)) return null;
  try {
    const answer = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}
