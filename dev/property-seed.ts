import fc from 'fast-check';

/**
 * Every property of a run draws from one seed, so that what fails once fails again; fast-check names it in the failure. The same one in
 * each run, unless PROPERTY_SEED gives another.
 */
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);
if (!Number.isInteger(seed)) throw new Error('PROPERTY_SEED is no whole number.');
fc.configureGlobal({ seed });
