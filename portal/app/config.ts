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

const CONFIG_ADDRESS = '/config';

let asked: Promise<Config> | null = null;

/** Asked once a page, by whoever needs it first. After a failure it is asked anew. */
export const loadConfig = (send: typeof fetch = fetch): Promise<Config> => {
  asked ??= ask(send).catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
};

const ask = async (send: typeof fetch): Promise<Config> => {
  const response = await send(CONFIG_ADDRESS);
  if (!response.ok) throw new Error(`GET ${CONFIG_ADDRESS}: ${response.status}`);
  return (await response.json()) as Config;
};
