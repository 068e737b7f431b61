/** A phone has its payer's app on it; whoever sits at a screen has it beside them. */
export const isPhone = (): boolean => matchMedia('(pointer: coarse)').matches;
