import type { Message } from './sender.ts'

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

const mostOfATitle = 100
const shortTitle = (title: string) => {
  const characters = [...oneLine(title)]
  return characters.length > mostOfATitle ? `${characters.slice(0, mostOfATitle).join('')}…` : oneLine(title)
}

const toFullWidth = 0xfee0

/**
 * A name somebody typed, for robots that read Markdown. They know no escapes, so what Markdown takes for its own is
 * written full-width: nobody can put a link or a mention into what we say.
 */
export const inMarkdown = (text: string) =>
  oneLine(text).replace(/[[\]<>*_`#~\\|]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + toFullWidth))

export const linkInMarkdown = ({ text, url }: Message['link']) =>
  `[${inMarkdown(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`

/**
 * Writes a message and leaves lines off from the end, with "…" in their place, until it fits; title and link stay.
 * @param mostBytes what the provider takes of the text that `write` makes
 */
export function fit(message: Message, mostBytes: number, write: (message: Message) => string): string {
  const lines = message.lines.map(oneLine)
  const written = (count: number) =>
    write({
      ...message,
      title: shortTitle(message.title),
      lines: count < lines.length ? [...lines.slice(0, count), '…'] : lines,
    })
  const whole = written(lines.length)
  if (Buffer.byteLength(whole) <= mostBytes) return whole
  // Halves the doubt: lines may be thousands.
  let [fitting, tooMany] = [0, lines.length]
  while (tooMany - fitting > 1) {
    const count = Math.floor((fitting + tooMany) / 2)
    if (Buffer.byteLength(written(count)) <= mostBytes) fitting = count
    else tooMany = count
  }
  return written(fitting)
}
