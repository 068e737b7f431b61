/** What a section keeps in the address beside its own name is its own business: it parses `search`, and `onSearch` replaces it. */
export type SectionProps = { search: Record<string, unknown>; onSearch: (search: Record<string, unknown>) => void };
