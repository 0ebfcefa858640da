// Prints docs/settings.md and its Chinese twin from the settings themselves; --check says whether they are so already.
import fs from 'node:fs'
import path from 'node:path'

import { settings } from '../server/src/settings.ts'
import { root } from './node-24.mjs'
import { aboutInChinese } from './settings-in-chinese.mjs'

const english = {
  file: 'docs/settings.md',
  about: (name) => settings[name].about,
  join: (sentences) => sentences.join(' '),
  colon: ': ',
  oneOf: (values) => `One of ${values.join(', ')}.`,
  moreThan: (least) => `More than ${least}.`,
  range: (least, most) => `From ${least}${most === undefined ? '' : ` to ${most}`}.`,
  characters: (most) => `At most ${most} characters.`,
  emptyByDefault: 'Empty by default.',
  byDefault: (value) => `Default ${value}.`,
  page: (needed, optional) => `# Settings

[中文](zh-CN/settings.md)

Printed from \`server/src/settings.ts\` by \`node scripts/print-settings.mjs\`; do not edit by hand.

A process reads its settings from the environment once, when it starts. An empty value counts as absent. When one is
missing, wrong, or written with other capitals or underscores, the process does not start and names each of them.

## Needed

${needed}

## With a default

${optional}
`,
}

const chinese = {
  file: 'docs/zh-CN/settings.md',
  about: (name) => aboutInChinese[name],
  join: (sentences) => sentences.join(''),
  colon: '：',
  oneOf: (values) => `可选 ${values.join('、')}。`,
  moreThan: (least) => `大于 ${least}。`,
  range: (least, most) => (most === undefined ? `不小于 ${least}。` : `取值 ${least} 至 ${most}。`),
  characters: (most) => `最多 ${most} 个字符。`,
  emptyByDefault: '默认为空。',
  byDefault: (value) => `默认 ${value}。`,
  page: (needed, optional) => `# 设置

[English](../settings.md)

由 \`node scripts/print-settings.mjs\` 从 \`server/src/settings.ts\` 生成，请勿手工修改。

进程在启动时从环境变量读取一次设置。空值视为没有设置。有设置缺少、有误，或大小写、下划线写得不同时，进程不会启动，并逐个指出。

## 必填

${needed}

## 有默认值

${optional}
`,
}

const untold = Object.keys(settings).filter((name) => !aboutInChinese[name])
const unknown = Object.keys(aboutInChinese).filter((name) => !settings[name])
if (untold.length > 0) throw new Error(`scripts/settings-in-chinese.mjs does not have ${untold.join(', ')}`)
if (unknown.length > 0) throw new Error(`scripts/settings-in-chinese.mjs has more: ${unknown.join(', ')}`)

for (const words of [english, chinese]) {
  const file = path.join(root, words.file)
  const page = print(words)
  if (!process.argv.includes('--check')) fs.writeFileSync(file, page)
  else if (fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n') !== page) {
    console.error(`${words.file} is not as the settings are: node scripts/print-settings.mjs`)
    process.exitCode = 1
  }
}

function print(words) {
  const needed = []
  const optional = []
  for (const [name, { schema }] of Object.entries(settings)) {
    const form = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' })
    const sentences = [words.about(name), boundsOf(form, words), defaultOf(form, words)].filter(Boolean)
    const entry = `- \`${name}\`${words.colon}${words.join(sentences)}`
    ;(schema.safeParse(undefined).success ? optional : needed).push(entry)
  }
  return words.page(needed.join('\n'), optional.join('\n'))
}

function boundsOf({ enum: values, minimum, maximum, exclusiveMinimum, minLength, maxLength }, words) {
  if (values) return words.oneOf(values.map((value) => `\`${value}\``))
  if (exclusiveMinimum !== undefined) return words.moreThan(exclusiveMinimum)
  if (minimum !== undefined)
    return words.range(minimum, maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined)
  if (minLength === undefined && maxLength !== undefined) return words.characters(maxLength)
  return ''
}

function defaultOf({ default: value }, words) {
  if (value === undefined) return ''
  return value === '' ? words.emptyByDefault : words.byDefault(`\`${value}\``)
}
