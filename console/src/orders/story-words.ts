/** The key of the words for what the server says in a story: `the chair ended` → `console.story.theChairEnded`. */
export function wordKey(phrase: string): string {
  const [first = '', ...rest] = phrase.toLowerCase().match(/[a-z]+/g) ?? []
  return `console.story.${first}${rest.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')}`
}
