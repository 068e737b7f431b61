const UNITS = [
  { unit: 'day', minutes: 1440, from: 2880 },
  { unit: 'hour', minutes: 60, from: 120 },
  { unit: 'minute', minutes: 1, from: 0 },
] as const;

/** How wrong a clock is, as one says it: "10 minutes", "3 hours", "20 days". */
export const howWrong = (minutes: number, language: string): string => {
  const wrong = Math.abs(minutes);
  const { unit, minutes: one } = UNITS.find(({ from }) => wrong >= from) ?? UNITS[2];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 }).format(wrong / one);
};
