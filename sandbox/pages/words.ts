export type Language = 'en' | 'nb';
export type Words<Key extends string> = Record<Language, Record<Key, string>>;
