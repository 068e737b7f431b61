/** Texts of the service screen (delivery first) and of manage occupation. */
export const occupations = {
  title: 'Occupations',
} as const;
