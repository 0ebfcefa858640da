// Pages for operators are there in English and in Chinese and say the same; no link between pages leads nowhere, and no
// command is named that npm does not know.
import fs from 'node:fs'
import path from 'node:path'

import { root } from './node-24.mjs'

/** The English page and its Chinese twin. What is missing here is for engineers, or in both languages already. */
const twins = [
  ['README.md', 'README.zh-CN.md'],
  ...['alerts', 'device-protocol', 'growing', 'import', 'operations', 'settings'].map((name) => [
    `docs/${name}.md`,
    `docs/zh-CN/${name}.md`,
  ]),
]

const pages = new Map(
  listPages().map((file) => [file, readPage(fs.readFileSync(path.join(root, file), 'utf8'))]),
)
const problems = [
  ...twins.flatMap(([english, chinese]) => compare(english, chinese)),
  ...[...pages].flatMap(([file, page]) => page.links.flatMap((link) => follow(file, link) ?? [])),
  ...[...pages].flatMap(([file, page]) => findUnknownCommands(file, page)),
]
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)

function listPages() {
  const readmes = fs.readdirSync(root).filter((name) => /^README.*\.md$/.test(name))
  const docs = fs
    .readdirSync(path.join(root, 'docs'), { recursive: true })
    .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
  return [...readmes, ...docs.filter((name) => name.endsWith('.md'))]
}

/** What can be compared without knowing the language; fenced code has neither headings nor links. */
function readPage(text) {
  const blocks = []
  const prose = text.replaceAll('\r\n', '\n').replaceAll(/^(```+).*\n[^]*?^\1$/gm, (block) => {
    blocks.push(block)
    return ''
  })
  const sections = prose.split(/^(?=#+ )/m).map((section) => {
    const [, level, heading] = /^(#+) (.*)/.exec(section) ?? ['', '', 'the beginning']
    return { level, heading, code: new Set(section.match(/`[^`]+`/g)) }
  })
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link)
  return { text, blocks, sections, links, anchors: new Set(sections.map(({ heading }) => anchorOf(heading))) }
}

/** The name that a heading has in an address: letters of any language and digits, with hyphens for spaces. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** @returns what one of the two has and the other has not */
function compare(english, chinese) {
  const [page, twin] = [english, chinese].map((file) => pages.get(file))
  if (!page || !twin)
    return [`${page ? chinese : english} is missing, the twin of ${page ? english : chinese}`]
  const unlinked = [
    [english, chinese],
    [chinese, english],
  ].filter(([from, to]) => !pages.get(from).links.includes(path.posix.relative(path.posix.dirname(from), to)))
  const found = unlinked.map(([from, to]) => `${from} does not link to ${to}`)

  const pairs = Array.from({ length: Math.max(page.sections.length, twin.sections.length) }, (_, index) => [
    page.sections[index],
    twin.sections[index],
  ])
  const apart = pairs.find(([one, other]) => one?.level !== other?.level)
  if (apart) {
    const [one, other] = apart.map((each) => (each ? `“${each.level} ${each.heading}”` : 'nothing'))
    return [...found, `${chinese} has other headings: ${other} where ${english} has ${one}`]
  }
  for (const [one, other] of pairs) {
    const differing = [...one.code.symmetricDifference(other.code)]
    if (differing.length > 0) {
      found.push(`${chinese} differs from ${english} in “${other.heading}”: ${differing.join(', ')}`)
    }
  }
  if (page.blocks.join('\n') !== twin.blocks.join('\n')) {
    found.push(`${chinese} has other code blocks than ${english}`)
  }
  return found
}

/** @returns the commands of a page that npm would not know */
function findUnknownCommands(file, { text }) {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const named = [...text.matchAll(/\bnpm (?:run )?(?:-s )?([a-z]+(?::[a-z]+)*)/g)].filter(
    ([words, name]) => words.startsWith('npm run') || name === 'start' || name === 'test',
  )
  return named.flatMap(([words, name]) => (scripts[name] ? [] : [`${file}: there is no \`${words}\``]))
}

/** @returns what is wrong with this link, if anything */
function follow(file, link) {
  if (/^[a-z]+:/.test(link)) return undefined
  const [name, anchor] = decodeURI(link).split('#')
  const target = name ? path.posix.join(path.posix.dirname(file), name) : file
  if (!fs.existsSync(path.join(root, target))) return `${file}: there is no ${target}`
  const unknown = anchor && pages.has(target) && !pages.get(target).anchors.has(anchor)
  return unknown ? `${file}: ${target} has no heading for #${anchor}` : undefined
}
