/** The variables that a text names, as i18next writes them: `{{count}}`, `{{name, date}}`. */
type Variables<S extends string> = S extends `${string}{{${infer V}}}${infer Rest}`
  ? (V extends `${infer Name},${string}` ? Name : V) | Variables<Rest>
  : never;

/** The same keys as the English catalogue, any words. A gap or a key too many in a translation does not compile. */
export type Translated<En> = { readonly [K in keyof En]: En[K] extends string ? string : Translated<En[K]> };

/** `true` where both languages name the same variables in every text; else the path of the first difference, as a type error. */
export type SameVariables<En, Nb> = {
  [K in keyof En & keyof Nb & string]: En[K] extends string
    ? Nb[K] extends string
      ? [Variables<En[K]>, Variables<Nb[K]>] extends [Variables<Nb[K]>, Variables<En[K]>]
        ? never
        : K
      : K
    : SameVariables<En[K], Nb[K]> extends infer Inner extends string
      ? [Inner] extends [never]
        ? never
        : `${K}.${Inner}`
      : never;
}[keyof En & keyof Nb & string];
