/** What GET /config hands out. The built portal holds no address: everything it talks to is named here. */
export type Config = {
  'auth-server-url': string;
  realm: string;
  resource: string;
  /** Up to and including the version, such as http://localhost:8080/v1. */
  api: string;
  live: string;
  endUser: string;
  build: string;
  /** Where virtual cabinets are plugged in; a production has none. */
  sandbox?: string;
};

export const CONFIG_ADDRESS = '/config';

export const loadConfig = async (send: typeof fetch = fetch): Promise<Config> => {
  const response = await send(CONFIG_ADDRESS, { cache: 'no-store', headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`GET ${CONFIG_ADDRESS}: ${response.status}`);
  return (await response.json()) as Config;
};
