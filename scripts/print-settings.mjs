// Prints docs/settings.md from the settings themselves: node scripts/print-settings.mjs > docs/settings.md
import { settings } from '../server/src/config.ts'

const needed = []
const optional = []
for (const [name, { about, schema }] of Object.entries(settings)) {
  const form = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' })
  const facts = [boundsOf(form), defaultOf(form)].filter(Boolean)
  const entry = `- \`${name}\`: ${about}${facts.length > 0 ? ` ${facts.join(' ')}` : ''}`
  ;(schema.safeParse(undefined).success ? optional : needed).push(entry)
}

process.stdout.write(`# Settings

Printed from \`server/src/config.ts\` by \`node scripts/print-settings.mjs > docs/settings.md\`; do not edit by hand.

A process reads its settings from the environment once, when it starts. An empty value counts as absent. When one is
missing, wrong, or written with other capitals or underscores, the process does not start and names each of them.

## Needed

${needed.join('\n')}

## With a default

${optional.join('\n')}
`)

function boundsOf({ enum: values, minimum, maximum, exclusiveMinimum, minLength, maxLength }) {
  if (values) return `One of ${values.map((value) => `\`${value}\``).join(', ')}.`
  if (exclusiveMinimum !== undefined) return `More than ${exclusiveMinimum}.`
  if (minimum !== undefined)
    return `From ${minimum}${maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : ''}.`
  if (minLength === undefined && maxLength !== undefined) return `At most ${maxLength} characters.`
  return ''
}

function defaultOf({ default: value }) {
  if (value === undefined) return ''
  return value === '' ? 'Empty by default.' : `Default \`${value}\`.`
}
