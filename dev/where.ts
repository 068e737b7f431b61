/** What one needs to know to use a Hatchway that `npm start` (or a test) started. Nothing of it exists in production. */
export type Where = {
  /** `http://localhost:8080`, without a slash at its end. */
  origin: string;
  /** For the operator's calls (`npm run company`, tests that make their own company). */
  operatorKey: string;
  /** The demo company's integrator key; null where nothing was seeded. */
  demoKey: string | null;
};
