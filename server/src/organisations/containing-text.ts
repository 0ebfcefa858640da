/** The `like` pattern for whatever contains a text, in lower case; what the text has of `like`'s own signs counts as letters. */
export const containing = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
